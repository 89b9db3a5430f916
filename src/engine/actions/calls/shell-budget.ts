import { mostCommands } from './reach.ts';

/** Characters that variables and substitutions may put in, all together: `b=$a$a; c=$b$b; …` doubles with each. */
const mostInserted = 50_000;
/** Characters that the programs of the line write, all together: `echo … | rev | rev | …`. */
const mostWritten = 2_000_000;
/** Lines within lines: `sh -c 'sh -c …'`. */
const mostNested = 4;

/** What reading the command lines of a call may take; once it is spent, something was left unread. */
export class ShellBudget {
  #commands = mostCommands;
  #inserted = mostInserted;
  #written = mostWritten;
  #isCut = false;

  get isCut(): boolean {
    return this.#isCut;
  }

  /** Whether commands may follow. */
  get goesOn(): boolean {
    if (this.#commands <= 0) this.#isCut = true;
    return this.#commands > 0;
  }

  cut(): void {
    this.#isCut = true;
  }

  /** Whether the command is to be kept. */
  counts(): boolean {
    this.#commands--;
    return this.#commands >= 0;
  }

  /** Whether so much may be put in. */
  takes(characters: number): boolean {
    this.#inserted -= characters;
    if (this.#inserted < 0) this.#isCut = true;
    return this.#inserted >= 0;
  }

  /** Whether a program may write so much. */
  writes(characters: number): boolean {
    this.#written -= characters;
    if (this.#written < 0) this.#isCut = true;
    return this.#written >= 0;
  }

  /** Whether a line that a command is given may be read. */
  nests(depth: number): boolean {
    if (depth >= mostNested) this.#isCut = true;
    return depth < mostNested;
  }
}
