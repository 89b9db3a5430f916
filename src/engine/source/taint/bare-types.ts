/** Names of types without what is put around them. */

/** Types that hold one of another, which is reached without them. */
const holders =
  /^(?:\w+\.)*(?:Optional|Annotated|Readonly|Promise|Awaitable|Arc|Rc|Box|Option|Parameters|Json|Query|Form|State|Extension|Data|Mutex|RwLock|Lazy)[[<](.*)[\]>]$/;

const bareTypes = new Map<string, string>();
const mostTypes = 20_000;

/** The name of a type without what is put around it: `Store` for `Arc<Mutex<Store>>`; empty where it has none. */
export function bareType(type: string): string {
  let name = bareTypes.get(type);
  if (name === undefined) {
    const bare = unwrapped(type);
    name = /^[A-Za-z_][\w.]*$/.test(bare) ? bare : '';
    // Types are the scanned project's: no table of them may grow without end.
    if (bareTypes.size >= mostTypes) bareTypes.clear();
    bareTypes.set(type, name);
  }
  return name;
}

function unwrapped(type: string): string {
  let name = type.replaceAll('::', '.').trim();
  for (let depth = 0; depth < 4; depth++) {
    const inner = name.replace(/^&(?:mut\s+)?/, '').replace(holders, '$1');
    if (inner === name) break;
    name = inner.trim();
  }
  return name
    .replace(/^['"]|['"]$/g, '')
    .replace(/^(?:dyn|impl)\s+/, '')
    .replace(/^[&*\s]+|\s*\|.*$|\?$/g, '')
    .replace(/[<[].*$/, '')
    .trim();
}
