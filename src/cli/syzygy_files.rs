//! Syzygy files held in memory: a comparison of every state reads all of them many times over.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use shakmaty_syzygy::filesystem::{Filesystem, OsFilesystem, RandomAccessFile, ReadHint};

/// The files of the system, read whole when they are opened.
#[derive(Debug, Default)]
pub(crate) struct FilesInMemory(OsFilesystem);

impl Filesystem for FilesInMemory {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        self.0.regular_file_size(path)
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        self.0.read_dir(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        Ok(Box::new(FileInMemory(fs::read(path)?)))
    }
}

struct FileInMemory(Vec<u8>);

impl RandomAccessFile for FileInMemory {
    fn read_at(&self, buffer: &mut [u8], offset: u64, _hint: ReadHint) -> io::Result<usize> {
        let from = usize::try_from(offset)
            .unwrap_or(usize::MAX)
            .min(self.0.len());
        let rest = &self.0[from..];
        let read = rest.len().min(buffer.len());
        buffer[..read].copy_from_slice(&rest[..read]);
        Ok(read)
    }
}
