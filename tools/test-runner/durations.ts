import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** How long each file took in its last run; long files start first, to keep all workers busy until the end. */
export class Durations {
  readonly #path: string;
  readonly #ms: Map<string, number>;

  constructor(path: string) {
    this.#path = path;
    this.#ms = new Map(Object.entries(read(path)));
  }

  longestFirst(files: readonly string[]): string[] {
    const unknownMs = 3000;
    const of = (file: string) => this.#ms.get(file) ?? unknownMs;
    return [...files].sort((a, b) => of(b) - of(a));
  }

  set(file: string, ms: number): void {
    this.#ms.set(file, Math.round(ms));
  }

  save(): void {
    mkdirSync(dirname(this.#path), { recursive: true });
    writeFileSync(this.#path, JSON.stringify(Object.fromEntries(this.#ms), undefined, 1));
  }
}

function read(path: string): Record<string, number> {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Record<string, number>;
  } catch {
    // No earlier run.
    return {};
  }
}
