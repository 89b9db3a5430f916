/** What a program said before it ended that tells why. */

const keptLines = 60;
const keptCharacters = 500;

/** `Error [ERR_MODULE_NOT_FOUND]: …`, `ModuleNotFoundError: …`, `panic: …`, `thread 'main' panicked at …`, `error: …` */
const namesError =
  /^(?:Uncaught )?(?:[\w.]*(?:Error|Exception)\b[^:]{0,80}: |(?:fatal |npm )?error\b|panic: |Exception in thread |thread '[^']*' panicked)/i;
/** Parts of a report that say nothing by themselves: frames, brackets, carets, the version of Node. */
const saysNothing = /^(?:at |Node\.js v\d|goroutine \d|exit status \d|note: run with )|^[\W_]*$/;

/** The newest lines of a program, and of these the one that says most. */
export class LastWords {
  #lines: string[] = [];

  add(line: string): void {
    this.#lines.push(line.trim().slice(0, keptCharacters));
    if (this.#lines.length > keptLines) this.#lines.shift();
  }

  /** The newest line that names an error, else the newest that says something; empty where there is none. */
  get text(): string {
    return (
      this.#lines.findLast((line) => namesError.test(line)) ??
      this.#lines.findLast((line) => !saysNothing.test(line)) ??
      this.#lines.at(-1) ??
      ''
    );
  }
}
