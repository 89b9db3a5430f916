import type { Machine } from './frame.ts';
import { allTaints, joinTaints, reopened, type Taint, pathLimit, type Value } from './value.ts';

/** Constant text of the parts before another. */
const constantText = (value: Value): string | undefined =>
  value.constant === undefined || value.constant === null ? undefined : String(value.constant);

const hostIsFixed = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]+[/?#]/i;

/** What a part that stands behind others can no longer do. */
function bitsBehind(start: string, isOpen: boolean, machine: Machine): number {
  if (start === '' && !isOpen) return 0;
  const host = machine.rules.bitOf('server-side-request-forgery') | machine.rules.bitOf('open-redirect');
  const argument = machine.rules.bitOf('argument-injection');
  // Behind a base that is not written here, a path follows: the host is somebody's setting.
  const fixedHost =
    hostIsFixed.test(start) || (isOpen && !/:\/\/[^/]*$/.test(start)) || start.startsWith('/');
  return (fixedHost ? host : 0) | argument;
}

const separators = /(?:^|[.?])(?:sep|Separator|separator|separatorChar|PathSeparator|MAIN_SEPARATOR)$/;

/** Whether it is a separator of paths, or a path with one at its end. */
export function endsInSeparator(value: Value): boolean {
  if (value.endsInSeparator === true) return true;
  return typeof value.constant === 'string'
    ? /[/\\]$/.test(value.constant)
    : separators.test(value.ref ?? '');
}

const endOf = (parts: readonly Value[]): { endsInSeparator?: true } => {
  const last = parts.at(-1);
  return last !== undefined && endsInSeparator(last) ? { endsInSeparator: true } : {};
};

/** Text put together: all taints, each with what its place rules out. */
export function textOf(parts: readonly Value[], machine: Machine): Value {
  let start = '';
  let isOpen = false;
  let constant: string | undefined = '';
  let beginning = '';
  const lists: (readonly Taint[])[] = [];
  for (const part of parts) {
    const text = constantText(part);
    const taints = allTaints(part);
    if (taints.length > 0) {
      const bits = bitsBehind(start, isOpen, machine);
      lists.push(
        reopened(taints, 1).map((taint) => ({ ...taint, cleared: taint.cleared | bits, isPart: true })),
      );
    }
    if (text === undefined) {
      constant = undefined;
      isOpen ||= taints.length === 0;
    } else {
      start += text;
      if (constant !== undefined) beginning = start;
      constant = constant === undefined ? undefined : constant + text;
    }
  }
  const of = [...new Set(parts.flatMap((part) => part.of ?? []))].slice(0, pathLimit);
  return {
    taints: joinTaints(lists),
    ...(constant === undefined ? (beginning === '' ? {} : { beginning }) : { constant }),
    ...endOf(parts),
    ...(of.length > 0 && lists.length > 0 ? { of } : {}),
  };
}
