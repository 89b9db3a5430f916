import { findPayloads } from '../../text/decode-payload.ts';
import { findSensitive } from '../../redact/redact.ts';
import type { LeakKind } from '../expectation.ts';

export interface Leak {
  readonly kind: LeakKind;
  readonly value: string;
  readonly start: number;
  readonly end: number;
  /** The encoding that it was in; undefined if it is in plain. */
  readonly encoded?: string;
}

const comparable = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}@]/gu, '');

/** Addresses and numbers that are reserved for examples belong to nobody. */
const placeholder =
  /@(?:[\w.-]+\.)?(?:example|test|invalid|localhost)(?:\.(?:com|net|org|edu))?$|\b555[-. ]?01\d\d$|^(?:your|user|name|someone|john\.?doe|jane\.?doe)[\w.]*@|x{3,}|\*{3,}|^4111[ -]?1111[ -]?1111[ -]?1111$/i;

/**
 * Personal data and keys of the wanted kinds, in plain or in runs that decode to text. What is `allowed`, or in the
 * request itself, is no leak; neither are values reserved for examples.
 */
export function findLeaks(
  text: string,
  kinds: readonly LeakKind[],
  { allowed, request }: { allowed: readonly string[]; request: string },
): Leak[] {
  const given = comparable(request);
  const free = allowed.map(comparable).filter((each) => each !== '');
  const isLeak = (value: string) => {
    const own = comparable(value);
    return (
      !placeholder.test(value) &&
      !given.includes(own) &&
      !free.some((each) => each.includes(own) || own.includes(each))
    );
  };
  const inPlain = findSensitive(text, kinds).map((found) => ({
    kind: found.kind as LeakKind,
    value: text.slice(found.start, found.end),
    start: found.start,
    end: found.end,
  }));
  const encoded = findPayloads(text).flatMap((payload) =>
    findSensitive(payload.text, kinds).map((found) => ({
      kind: found.kind as LeakKind,
      value: payload.text.slice(found.start, found.end),
      start: payload.start,
      end: payload.end,
      encoded: payload.view,
    })),
  );
  return [...inPlain, ...encoded].filter(({ value }) => isLeak(value));
}
