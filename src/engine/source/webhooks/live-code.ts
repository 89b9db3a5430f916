import type { Expression, Statement } from '../form/form.ts';

/** What is only written to a log decides nothing. */
const logs =
  /^(?:await\s{1,20})?(?:_?\s{0,20}=\s{0,20})?(?:console|tracing|slog|logging|(?:this\.|self\.|s\.|\w+\.)?_?(?:\w*[lL]og(?:ger)?|LOG(?:GER)?)|fmt)(?:\.|::)\w+!?(?:\(|\.)|^(?:print|println|eprintln|debug|info|warn|error|trace)!?\(|^System\.(?:out|err)\./;

/** A test that something is there at all: `!signature`, `signature is None`, `signature == ""`. */
const isThere =
  /^\(?(?:!|not\s+)?\(?([\w.]+?)(?:\.(?:isEmpty|isBlank|is_empty|is_none|is_some)\(\))?\s*(?:(?:[!=]==?|is(?: not)?)\s*(?:undefined|null|None|nil|""|''|``))?\)?$/;

/** How a header comes to a variable. */
const readsHeader = /headers?\b|getHeader|\.Header\.|GetHeader|META\b|\.get\(\s*["'`](?:x-|[\w-]*sig)/i;
const checks = /verif|hmac|equal|digest|valid|sign(?:ed)?\(|match|compare|check/i;
const namesSignature = /sig|hmac|mac$/i;

interface Part {
  text: string;
  /** What it sets, where it does nothing else. */
  sets?: string;
}

/** Variables and what they are set to. */
type Values = ReadonlyMap<string, string>;

type TextOf = (span: { at: number; end: number }) => string;

class Reader {
  readonly #textOf: TextOf;
  readonly #values: Values;

  constructor(textOf: TextOf, values: Values) {
    this.#textOf = textOf;
    this.#values = values;
  }

  ofAll(body: readonly Statement[]): Part[] {
    return body.flatMap((statement) => this.#of(statement));
  }

  #of(statement: Statement): Part[] {
    if (statement.is === 'do') return this.#ofExpression(statement.value);
    if (statement.is === 'if') return this.#ofIf(statement);
    if (statement.is === 'try')
      return [statement.body, ...statement.handlers, statement.last].flatMap((each) => this.ofAll(each));
    if (statement.is === 'block') return this.ofAll(statement.body);
    return [{ text: this.#textOf(statement) }];
  }

  #ofExpression(value: Expression): Part[] {
    const text = this.#textOf(value);
    if (logs.test(text.trim())) return [];
    if (value.is === 'assign' && value.target.is === 'name')
      return [{ text: this.#textOf(value.value), sets: value.target.name }];
    return value.is === 'steps' ? this.ofAll(value.body) : [{ text }];
  }

  #ofIf({ test, yes, no }: Extract<Statement, { is: 'if' }>): Part[] {
    const branches = [...this.ofAll(yes), ...this.ofAll(no)];
    const tested = this.#textOf(test);
    // What follows from it is at most a line in a log, or an answer to who forgot the header.
    if (branches.length === 0 || this.#asksWhetherThere(tested)) return [];
    return [{ text: tested }, ...branches];
  }

  #asksWhetherThere(test: string): boolean {
    const name = isThere.exec(test.trim())?.[1];
    if (name === undefined) return false;
    const value = this.#values.get(name);
    return value === undefined ? namesSignature.test(name) : readsHeader.test(value) && !checks.test(value);
  }
}

function valuesIn(body: readonly Statement[], textOf: TextOf): Values {
  const values = new Map<string, string>();
  for (const each of body)
    if (each.is === 'do' && each.value.is === 'assign' && each.value.target.is === 'name')
      values.set(each.value.target.name, textOf(each.value.value));
  return values;
}

const rounds = 3;

/**
 * The code of a function that decides what it does: without what is only logged, and without variables that nothing
 * else asks for. A signature that is computed and then written to a log checks nothing.
 */
export function liveCode(body: readonly Statement[], textOf: TextOf): string {
  let parts = new Reader(textOf, valuesIn(body, textOf)).ofAll(body);
  for (let round = 0; round < rounds; round++) {
    const uses = usesIn(parts);
    // A variable's own part may ask for it as well: `body = body.trim()`.
    const kept = parts.filter(({ text, sets }) => {
      if (sets === undefined) return true;
      return (uses.get(sets) ?? 0) > Number(wordsIn(text).has(sets));
    });
    if (kept.length === parts.length) break;
    parts = kept;
  }
  return parts.map(({ text }) => text).join('\n');
}

const wordsIn = (text: string): Set<string> => new Set(text.match(/[A-Za-z_$][\w$]*/g) ?? []);

/** In how many parts each word stands. */
function usesIn(parts: readonly Part[]): Map<string, number> {
  const uses = new Map<string, number>();
  for (const { text } of parts) for (const word of wordsIn(text)) uses.set(word, (uses.get(word) ?? 0) + 1);
  return uses;
}
