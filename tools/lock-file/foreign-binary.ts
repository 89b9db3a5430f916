/** Lock file entries for binaries of other platforms, derived from their names. */
import type { LockEntry } from './lock.ts';

const systems = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const processors = [
  'arm',
  'arm64',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
];

/**
 * @param name such as `@oxlint/binding-linux-arm64-musl`, or `@tailwindcss/oxide-wasm32-wasi`
 * @param parent the entry of the package that depends on it
 * @throws Error if the name contains no platform: npm would then install it everywhere
 */
export function foreignBinary(name: string, version: string, parent: LockEntry): LockEntry {
  const words = name.split(/[-/]/);
  const os = words.filter((word) => systems.includes(word));
  const cpu = words.filter((word) => processors.includes(word));
  if (cpu.length !== 1 || os.length > 1 || (os.length === 0 && cpu[0] !== 'wasm32'))
    throw new Error(
      `The name of ${name} does not tell its platform: add its entry to package-lock.json by hand.`,
    );
  const libc = words.some((word) => word.startsWith('musl'))
    ? ['musl']
    : words.some((word) => word.startsWith('gnu'))
      ? ['glibc']
      : undefined;
  return {
    version,
    cpu,
    ...(parent.dev === true && { dev: true }),
    ...(os[0] === 'linux' && libc !== undefined && { libc }),
    optional: true,
    ...(os.length > 0 && { os }),
  };
}
