/** Numbers of the same errors in WebAssembly (WASI), where the embedded database runs. */
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
  EACCES: 'this user may not write there; give it the right',
  EDQUOT: 'this user’s share of the disk is used up; free some space',
  EFBIG:
    'a file may not grow further; raise the limit on file sizes of this process (ulimit -f), or free some space',
  EIO: 'the disk cannot be read or written; look at the system’s log',
  EMFILE: 'this process may open no more files; raise its limit (ulimit -n)',
  ENFILE: 'this machine can open no more files; end other programs',
  ENOSPC: 'there is no space left on the disk; free some',
  ENOTDIR: 'a part of the path is a file; move it away',
  EEXIST: 'a file has its name; move it away',
  EPERM: 'the system does not allow it; give this user the right',
  EROFS: 'the disk can only be read; mount it for writing',
  /** SQLSTATE of PostgreSQL, whose disk it is. */
  53100: 'there is no space left on the disk; free some',
};

/**
 * What an operating system refused, as a sentence without its first capital and its full stop, with the way out;
 * undefined for an error of another kind.
 */
export function systemProblem(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, errno, name } = error as { code?: unknown; errno?: unknown; name?: unknown };
  if (typeof code === 'string' && Object.hasOwn(sentences, code)) return sentences[code];
  // An error of Emscripten's file system: no `Error`, and without a message.
  if (name === 'ErrnoError' && typeof errno === 'number')
    return sentences[wasiCodes[errno] ?? ''] ?? `error ${errno}`;
  return undefined;
}
