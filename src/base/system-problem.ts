/** Error numbers in WebAssembly (WASI), where the embedded database runs. */
const wasiCodes: Readonly<Record<number, string>> = {
  2: 'EACCES',
  19: 'EDQUOT',
  22: 'EFBIG',
  29: 'EIO',
  33: 'EMFILE',
  41: 'ENFILE',
  51: 'ENOSPC',
  63: 'EPERM',
  69: 'EROFS',
};

const sentences: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there; grant it write permission',
  EDQUOT: 'this user’s disk quota is used up; free some space',
  EFBIG:
    'a file may not grow further; raise the limit on file sizes of this process (ulimit -f), or free some space',
  EIO: 'the disk cannot be read or written; check the system’s log',
  EMFILE: 'this process has too many open files; raise its limit (ulimit -n)',
  ENFILE: 'this machine has too many open files; stop other programs',
  ENOSPC: 'no space is left on the disk; free some',
  ENOTDIR: 'a part of the path is a file; move or rename that file',
  EEXIST: 'a file with this name exists; move or rename it',
  EPERM: 'the system does not allow it; grant this user the permission',
  EROFS: 'the disk is read-only; mount it for writing',
  /** SQLSTATE of PostgreSQL: the server's disk is full. */
  53100: 'no space is left on the disk; free some',
};

/**
 * Describes an operating system error and its remedy, without initial capital and full stop, for use in a sentence;
 * undefined for other errors.
 */
export function systemProblem(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, errno, name } = error as { code?: unknown; errno?: unknown; name?: unknown };
  if (typeof code === 'string' && Object.hasOwn(sentences, code)) return sentences[code];
  // Emscripten file system errors are not `Error`s and have no message.
  if (name === 'ErrnoError' && typeof errno === 'number')
    return sentences[wasiCodes[errno] ?? ''] ?? `error ${errno}`;
  return undefined;
}
