/** Tokens with which callers sign in here: what they are for is this server, and no other one. */
import type { Expression, Parameter } from '../form/form.ts';
import { markName } from '../form/marks.ts';
import type { SourceModule } from '../modules.ts';
import { type Called, type Given, pathOf } from './frame.ts';
import { joinTwo, type Source, type Taint } from './taints.ts';
import type { Value } from './value.ts';

/** One source for all of them: which caller's it is makes no difference. */
const source: Source = { id: -3, kind: 'token', name: '', description: '' };

const header = /^(?:proxy-)?authorization$/i;
const ofRequest = /(?:^|_)headers?$|Headers?(?:\(\))?$/i;
const readers = /^(?:get|header|getHeader|get_header|GetHeader|getFirst|get_first)$/;
/** What libraries of the protocol give to a tool of the one who called it. */
const given = /(?:^|\.)authInfo\.token$|\bget_access_token\(\)\.token$/;

interface Place {
  module: SourceModule;
  at: number;
  end: number;
}

const tokenAt = ({ module, at, end }: Place): Taint => ({
  source,
  cleared: 0,
  step: { module, at, end, text: '', before: undefined, count: 0 },
});

const withToken = (value: Value, place: Place): Value =>
  value.taints.some((taint) => taint.source === source)
    ? value
    : { ...value, taints: joinTwo(value.taints, [tokenAt(place)]) };

/** `req.headers.authorization`, `request.headers["authorization"]`, `extra.authInfo.token` */
export function readProperty(value: Value, object: Expression, property: string, place: Place): Value {
  if (header.test(property)) {
    const last = pathOf(object)?.at(-1) ?? (object.is === 'member' ? object.property : undefined);
    return last !== undefined && ofRequest.test(last) ? withToken(value, place) : value;
  }
  if (property !== 'token') return value;
  const written = object.is === 'member' ? `${object.property}.token` : '';
  return given.test(value.ref ?? '') || given.test(written) ? withToken(value, place) : value;
}

/** `req.get('authorization')`, `request.headers.get("authorization", "")` */
export function readByCall(
  value: Value,
  { method, object }: Called,
  args: readonly Given[],
  place: Place,
): Value {
  if (object === undefined || !readers.test(method)) return value;
  const { constant } = args[0]?.value ?? {};
  return typeof constant === 'string' && header.test(constant) ? withToken(value, place) : value;
}

const isNamed = /^(?:x_)?auth(?:orization)?(?:_?header)?$|^(?:bearer|access)?_?token$/i;

/** A parameter that a framework fills with the header: `authorization: str = Header()`, `@Headers('authorization') auth`. */
export function isTokenParameter({ target, type = '', preset, marks = [] }: Parameter): boolean {
  if (/\bHTTPAuthorizationCredentials\b/.test(type)) return true;
  const name = target.is === 'name' ? target.name : '';
  if (marks.includes('Headers')) return isNamed.test(name);
  const isHeader = (preset?.is === 'call' && markName(preset) === 'Header') || /\bHeader\(/.test(type);
  return isHeader && /^authorization$/i.test(name);
}

export const tokenParameter = (value: Value, place: Place): Value => withToken(value, place);

/** Without the token: what a library makes of one that it is given is another one, or says whose it is. */
export const withoutTokens = (taints: readonly Taint[]): readonly Taint[] =>
  taints.some((taint) => taint.source === source)
    ? taints.filter((taint) => taint.source !== source)
    : taints;
