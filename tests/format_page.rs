//! The format page against the shipped certificates and the verifier.

use dchess::verify::{Reason, Verdict};

const PAGE: &str = include_str!("../docs/certificate-format.md");
const KQK: &[u8] = include_bytes!("../certificates/KQK.bin");

#[test]
fn the_hexdump_is_that_of_the_file() {
    let mut compared = 0;
    for line in PAGE
        .lines()
        .filter(|line| line.contains("  |") && line.ends_with('|'))
    {
        let Some((offset, rest)) = line.split_once("  ") else {
            continue;
        };
        let Ok(offset) = usize::from_str_radix(offset, 16) else {
            continue;
        };
        let (hex, text) = rest.split_once('|').unwrap();
        let bytes: Vec<u8> = hex
            .split_whitespace()
            .map(|byte| u8::from_str_radix(byte, 16).unwrap())
            .collect();
        assert_eq!(bytes, KQK[offset..offset + bytes.len()], "{line}");
        let printable = |&byte: &u8| {
            if byte.is_ascii_graphic() || byte == b' ' {
                byte
            } else {
                b'.'
            }
        };
        let shown: Vec<u8> = bytes.iter().map(printable).collect();
        assert_eq!(
            text.as_bytes().strip_suffix(b"|"),
            Some(shown.as_slice()),
            "{line}"
        );
        compared += bytes.len();
    }
    assert!(compared > 300, "{compared}");
}

#[test]
fn the_ruleset_is_named_by_its_digest() {
    use sha2::{Digest, Sha256};
    let digest = Sha256::digest(include_bytes!("../docs/ruleset.txt"));
    let digits: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(PAGE.matches(&digits).count(), 2);
}

#[test]
fn every_reason_is_in_the_table_with_its_verdict() {
    use Reason::*;
    let reasons = [
        EmptyFile,
        NotACertificate,
        Truncated,
        TrailingBytes,
        UnknownVersion,
        UnknownKind,
        UnknownRuleset,
        UnknownCodec,
        LengthOutOfBounds,
        LengthsDisagree,
        DigestMismatch,
        MalformedPayload,
        MalformedJson,
        IdMismatch,
        UnknownClaim,
        UnknownMaterial,
        UnknownRulesProfile,
        ClaimDiffers,
        WrongChildren,
        WrongChild,
        MissingChildren,
        MalformedBlock,
        WrongStarts,
        WrongNumberOfStates,
        WrongNumberOfValues,
        WrongNumberOfMoves,
        WrongResult,
        WrongDistance,
        WrongPolicy,
        SymmetryBroken,
        WrongCount,
        WrongLongestLine,
        WrongMapLength,
        WrongNumberOfBlocks,
        UnknownBlock,
        UnusedBlock,
        BlocksOutOfOrder,
        WrongParent,
        WrongRound,
        NotStable,
        WrongNumberOfRounds,
        LeakingSet,
        WrongRank,
        WrongNumberOfRecords,
        WrongRecord,
        DominatingMoveDeleted,
        NotDominated,
        IllegalPosition,
        RankDoesNotFall,
        WrongRoots,
        IllegalMove,
        NoCheckmate,
        WrongNumberOfReplies,
        WrongNode,
        WrongNodePosition,
        UnreachedNode,
        TooManyPlies,
        UnfinishedLeaf,
        WrongNumberOfMates,
        WrongNumberOfPositions,
        WrongPosition,
        PositionsOutOfOrder,
        WrongInterval,
        MissingRoot,
        UnwitnessedBound,
        DuplicatePosition,
        NotFromTheSeed,
        WrongAttempt,
        WrongMoves,
        WrongExchange,
        NotCoarsest,
        Unreadable,
        MalformedTree,
        UnknownFeature,
        TreeTooDeep,
        MixedBlock,
        WrongState,
        WrongClock,
        UnknownNode,
        ClaimIgnored,
    ];
    for reason in reasons {
        let row = format!("| `{reason}` | {} |", reason.verdict());
        assert!(PAGE.contains(&row), "{row}");
        assert_ne!(reason.verdict(), Verdict::Verified);
    }
    let rows = PAGE
        .lines()
        .filter(|line| line.contains("` | REFUTED |") || line.contains("` | DECLINED |"));
    assert_eq!(rows.count(), reasons.len());
}

/// The producer's registry of features is the page's table, in its order.
#[test]
fn the_features_are_those_of_the_page() {
    use dchess::endgame::features::{About, KINDS};
    let table = PAGE.split("| feature | of | value |").nth(1).unwrap();
    let rows = table
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    let rows: Vec<(String, String)> = rows
        .map(|row| {
            let mut cells = row.split('|').skip(1).map(str::trim);
            let name = cells.next().unwrap().trim_matches('`').to_owned();
            (name, cells.next().unwrap().to_owned())
        })
        .collect();
    let kinds = KINDS.iter().map(|kind| {
        let (men, of) = match kind.about {
            About::Position => ("", "the position"),
            About::Man => (" m", "every man"),
            About::King => (" m", "every king"),
            About::Piece => (" m", "every man but kings"),
            About::Pair => (" m n", "every two men"),
        };
        (format!("{}{men}", kind.name), of.to_owned())
    });
    assert_eq!(rows, kinds.collect::<Vec<_>>());
}
