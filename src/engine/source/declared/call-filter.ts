/** Servers that leave tools out of their list, and answer calls of all of them. */
import type { Expression, Statement } from '../form/form.ts';
import { markName } from '../form/marks.ts';
import type { SourceModule } from '../modules.ts';
import { FormWalk } from '../patterns/walk.ts';
import { asks, asksInTest, type Policy, policyIn } from './policies.ts';
import type { Own, ProjectFunctions, Span } from './project-functions.ts';

/** What answers one request of the protocol. */
interface Answer extends Span {
  module: SourceModule;
  kind: 'list' | 'call';
  /** The server that it belongs to, as it is written. */
  of: string;
  body: Span;
}

export interface Unfiltered {
  module: SourceModule;
  at: number;
  end: number;
  what: string;
}

const kindOf = (text: string): Answer['kind'] | undefined => {
  if (/^ListTools|tools\/list|^(?:\w*\.)?list_tools$/i.test(text)) return 'list';
  return /^CallTool|tools\/call|^(?:\w*\.)?call_tool$/i.test(text) ? 'call' : undefined;
};

const literalText = (expression: Expression): string =>
  expression.is === 'literal' && typeof expression.value === 'string' ? expression.value : '';

/** `method == "tools/list"` in a test. */
function kindOfTest(test: Expression, depth = 0): Answer['kind'] | undefined {
  if (test.is !== 'binary' || depth > 4) return undefined;
  if (/^={2,3}$/.test(test.operator))
    return kindOf(literalText(test.left)) ?? kindOf(literalText(test.right));
  return kindOfTest(test.left, depth + 1) ?? kindOfTest(test.right, depth + 1);
}

const spanOfAll = (body: readonly Statement[]): Span | undefined => {
  const [first, last] = [body[0], body.at(-1)];
  return first === undefined || last === undefined ? undefined : { at: first.at, end: last.end };
};

/** Statements that stand in another one which decides nothing. */
function bodyWithin(statement: Statement): readonly Statement[] {
  if (statement.is === 'loop' || statement.is === 'block' || statement.is === 'try') return statement.body;
  const value = statement.is === 'do' || statement.is === 'return' ? statement.value : undefined;
  return value?.is === 'steps' ? value.body : [];
}

/** Branches of a function that reads the protocol itself. */
function branchesIn(body: readonly Statement[], note: (kind: Answer['kind'], body: Span) => void): void {
  const noteBody = (kind: Answer['kind'] | undefined, own: readonly Statement[]): void => {
    const span = spanOfAll(own);
    if (kind !== undefined && span !== undefined) note(kind, span);
    else branchesIn(own, note);
  };
  for (const each of body) {
    if (each.is === 'if') {
      noteBody(kindOfTest(each.test), each.yes);
      branchesIn(each.no, note);
    } else if (each.is === 'switch')
      for (const { values, body: own } of each.cases)
        noteBody(values.map((value) => kindOf(literalText(value))).find(Boolean), own);
    else branchesIn(bodyWithin(each), note);
  }
}

const registers = /^(?:setRequestHandler|set_request_handler|on|handle|addMethod|method|register|use)$/;

/** The functions and branches of a file that list tools, and those that call them. */
function answersIn(module: SourceModule, functions: ProjectFunctions): Answer[] {
  const found: Answer[] = [];
  const bodyOf = (value: Expression): Span => {
    const name = value.is === 'name' ? value.name : value.is === 'member' ? value.property : '';
    return value.is === 'function' ? value.fn : (functions.named(name, module)[0]?.fn ?? value);
  };
  const nothing = (): void => undefined;
  new FormWalk({
    binary: nothing,
    loop: nothing,
    call: ({ callee, args, at, end }) => {
      const [asked, answer] = args.map(({ value }) => value);
      if (callee.is !== 'member' || !registers.test(callee.property)) return;
      if (asked === undefined || answer === undefined) return;
      const kind = kindOf(module.text.slice(asked.at, asked.end).replace(/^["'`]/, ''));
      const { object } = callee;
      const of = module.text.slice(object.at, object.end).slice(-60);
      if (kind !== undefined) found.push({ module, kind, of, at, end, body: bodyOf(answer) });
    },
    entry: (name, value) => {
      const kind = name.includes('/') ? kindOf(name) : undefined;
      if (kind !== undefined && value.is !== 'literal')
        found.push({ module, kind, of: 'table', at: value.at, end: value.end, body: bodyOf(value) });
    },
    fn: (fn) => {
      for (const mark of fn.marks) {
        const kind = kindOf(markName(mark));
        const of = module.text.slice(mark.at, mark.end).replace(/\.\w+\(?[^]*$/, '');
        if (kind !== undefined) found.push({ module, kind, of, at: fn.at, end: fn.end, body: fn });
      }
      const own = fn.owner === undefined ? undefined : kindOf(fn.name.slice(fn.name.lastIndexOf('.') + 1));
      if (own !== undefined && module.grammar === 'rust')
        found.push({ module, kind: own, of: fn.owner ?? '', at: fn.at, end: fn.end, body: fn });
      branchesIn(fn.body, (kind, body) => found.push({ module, kind, of: `branch ${fn.at}`, ...body, body }));
    },
  }).run(module.form.body);
  return found;
}

/** Functions that a list is made by, the conditions in them, and the tables that they read. */
interface Listing {
  policy: Policy;
  /** Functions that leave something out: whoever calls one of them asks as well. */
  names: ReadonlySet<string>;
  bodies: ReadonlySet<Span>;
  /** What holds all tools: `this.tools` of `[...this.tools.values()].filter(…)`. */
  table: string | undefined;
}

const tableRead =
  /((?:this\.|self\.)?[#\w]{2,40})(?:\.(?:values|entries|items)\(\)\]?|\.filter\(|\.iter\(\))|(?:Object\.values|Object\.entries)\(((?:this\.)?[#\w]{2,40})\)/;

/** Code with that of what it calls, and what variables of the file that it names are set to. */
function around(
  code: string,
  module: SourceModule,
  functions: ProjectFunctions,
): { text: string; own?: Own }[] {
  const parts: { text: string; own?: Own }[] = [{ text: code }];
  const seen = new Set<string>();
  let fresh = [{ text: code, module }];
  for (let depth = 0; depth < 2; depth++) {
    const next: typeof fresh = [];
    for (const { text, module: from } of fresh) {
      for (const own of functions.calledIn(text, from)) {
        const key = `${own.module.path} ${own.fn.at}`;
        if (seen.has(key)) continue;
        seen.add(key);
        const body = functions.codeOf(own.module, own.fn);
        parts.push({ text: body, own });
        next.push({ text: body, module: own.module });
      }
      for (const [, name = ''] of text.matchAll(/\b([A-Za-z_]\w{2,60})\b/g)) {
        const value = seen.has(name) ? undefined : functions.setTo(name, from);
        seen.add(name);
        if (value === undefined || value.is === 'literal' || value.end - value.at > 600) continue;
        const set = `${name} = ${functions.codeOf(from, value)}`;
        parts.push({ text: set });
        next.push({ text: set, module: from });
      }
    }
    fresh = next;
  }
  return parts;
}

/** The function or the variable that a part of the code is; empty for what answers. */
const nameOfPart = (text: string, own: Own | undefined): string =>
  own?.name ?? /^(\w+) = /.exec(text)?.[1] ?? '';

const tableIn = (text: string): string | undefined => {
  const [, first, second] = tableRead.exec(text) ?? [];
  return first ?? second;
};

function listingOf({ module, body }: Answer, functions: ProjectFunctions): Listing | undefined {
  const words = new Set<string>();
  const names = new Set<string>();
  const bodies = new Set<Span>([body]);
  let table: string | undefined;
  for (const { text, own } of around(functions.codeOf(module, body), module, functions)) {
    const policy = policyIn(text);
    if (policy === undefined) continue;
    for (const word of policy.words) words.add(word);
    if (own !== undefined) bodies.add(own.fn);
    names.add(nameOfPart(text, own));
    table ??= tableIn(text);
  }
  names.delete('');
  return words.size === 0 ? undefined : { policy: { words }, names, bodies, table };
}

const looksUp =
  /\bswitch\b|\bmatch\b|\.(?:get|find)\(|\[[^\]\n]{0,40}\bname\b[^\]\n]{0,10}\]|\bif\s*\(?name\s*={2}/;

/** From where a call is answered to where the tool is looked for. */
function placeOf({ module, at, end, body }: Answer): Span {
  const from = Math.max(at, body.at);
  const found = looksUp.exec(module.text.slice(from, Math.min(end, from + 2_000)));
  return { at, end: found === null ? Math.min(end, at + 1) : from + found.index + 1 };
}

function isAsked(call: Answer, listing: Listing, functions: ProjectFunctions): boolean {
  const code = functions.codeOf(call.module, call.body);
  if (asks(listing.policy, code)) return true;
  const named = new Set([...code.matchAll(/\b\w+\b/g)].map(([word]) => word));
  if ([...listing.names].some((name) => named.has(name))) return true;
  return around(code, call.module, functions)
    .slice(1)
    .some(({ text, own }) => {
      if (own !== undefined && listing.bodies.has(own.fn)) return true;
      const isSet =
        own === undefined && [...listing.names].some((name) => new RegExp(`\\b${name}\\b`).test(text));
      return isSet || asksInTest(listing.policy, text);
    });
}

const runs = /\b(?:\w*\.)?(?:invoke|run|call|execute|exec|handler|handle|dispatch|apply|fn|callback)\w*\s*\(/;

/** Another way to the same table: a route or a method that starts a tool by its name. */
function otherWays(listing: Listing, call: Answer, functions: ProjectFunctions): Unfiltered[] {
  const { table, policy } = listing;
  if (table === undefined || !/[.#]/.test(table)) return [];
  const bare = table.replaceAll(/[.#$]/g, String.raw`\$&`);
  const lookup = new RegExp(
    String.raw`${bare}(?:\.get\(|\[)[^)\]\n]{0,60}(?:name|tool)[^)\]\n]{0,20}[)\]]`,
    'i',
  );
  const found: Unfiltered[] = [];
  const look = (body: Span): void => {
    const code = functions.codeOf(call.module, body);
    const place = lookup.exec(call.module.text.slice(body.at, body.end));
    if (place === null || !runs.test(code) || asks(policy, code)) return;
    if ([...listing.names].some((name) => code.includes(name))) return;
    const at = body.at + place.index;
    found.push({ module: call.module, at, end: at + place[0].length, what: `\`${place[0]}\`` });
  };
  for (const { module, fn } of functions.all) {
    if (module !== call.module || listing.bodies.has(fn)) continue;
    const parts = casesIn(fn.body);
    if (parts.length === 0) look(fn);
    else for (const part of parts) if (part.at !== call.body.at) look(part);
  }
  return found;
}

const casesIn = (body: readonly Statement[]): Span[] =>
  body.flatMap((each) => {
    if (each.is === 'try' || each.is === 'block') return casesIn(each.body);
    return each.is === 'switch' ? each.cases.flatMap((one) => spanOfAll(one.body) ?? []) : [];
  });

/** Places where a tool is started that the list would not show. */
export function unfilteredCalls(modules: readonly SourceModule[], functions: ProjectFunctions): Unfiltered[] {
  const answers = modules
    .filter(({ text }) => /ListTools|tools\/list|list_tools/.test(text))
    .flatMap((module) => answersIn(module, functions));
  const found: Unfiltered[] = [];
  for (const list of answers.filter(({ kind }) => kind === 'list')) {
    const call = answers.find(
      ({ kind, module, of }) => kind === 'call' && module === list.module && of === list.of,
    );
    const listing = call === undefined ? undefined : listingOf(list, functions);
    if (call === undefined || listing === undefined) continue;
    if (isAsked(call, listing, functions)) found.push(...otherWays(listing, call, functions));
    else found.push({ module: call.module, ...placeOf(call), what: 'What answers tools/call' });
  }
  return found;
}
