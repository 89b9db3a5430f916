/** What a program is given: flags, their values, and what stands by itself. */
export interface ShellArguments {
  readonly operands: readonly string[];
  readonly has: (...flags: string[]) => boolean;
  /** What was given with one of the flags, in the order of the line. */
  readonly valuesOf: (...flags: string[]) => readonly string[];
}

interface Read {
  readonly given: readonly (readonly [flag: string, value: string])[];
  /** The word behind it is its value. */
  readonly tookNext: boolean;
}

/** `--output=/a`, `--output /a`. */
function readLong(word: string, next: string, valued: ReadonlySet<string>): Read {
  const sign = word.indexOf('=');
  if (sign >= 0) return { given: [[word.slice(0, sign), word.slice(sign + 1)]], tookNext: false };
  const tookNext = valued.has(word);
  return { given: [[word, tookNext ? next : '']], tookNext };
}

/** `-C /opt`, `-C/opt`, `-xzf a.tgz`: the first letter that takes a value takes the rest of its word, or the next one. */
function readShort(word: string, next: string, valued: ReadonlySet<string>): Read {
  const letters = Array.from(word.slice(1), (letter) => `-${letter}`);
  const at = letters.findIndex((flag) => valued.has(flag));
  if (at < 0) return { given: letters.map((flag) => [flag, '']), tookNext: false };
  const rest = word.slice(at + 2);
  const given = letters
    .slice(0, at + 1)
    .map((flag, i) => [flag, i < at ? '' : rest === '' ? next : rest] as const);
  return { given, tookNext: rest === '' };
}

/**
 * Takes the arguments of a program apart.
 * @param valued flags that take a value, such as `-o` and `--output`
 */
export function readArguments(rest: readonly string[], valued: ReadonlySet<string>): ShellArguments {
  const operands: string[] = [];
  const given: (readonly [flag: string, value: string])[] = [];
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] ?? '';
    if (word === '--') {
      operands.push(...rest.slice(at + 1));
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      operands.push(word);
      continue;
    }
    const read = (word.startsWith('--') ? readLong : readShort)(word, rest[at + 1] ?? '', valued);
    given.push(...read.given);
    if (read.tookNext) at++;
  }
  return {
    operands,
    has: (...flags) => given.some(([flag]) => flags.includes(flag)),
    valuesOf: (...flags) =>
      given.flatMap(([flag, value]) => (flags.includes(flag) && value !== '' ? [value] : [])),
  };
}
