/** Archives of Python that are unpacked as a whole, after a look at the names of their entries or without one. */
import { type Called, type Frame, reopened } from './frame.ts';
import { type Call, type Model, valueAt } from './model.ts';
import { allTaints } from './value.ts';

const longest = 6000;

/** Goes through what is in an archive. */
const readsEntries =
  /\b(?:getmembers|getnames|namelist|infolist|next)\(\)|\bfor \w{1,40} in \w{0,30}(?:tar|tf|archive|bundle|ball|ar|z|zf|zip)\w{0,30}\s*:/i;
/** What leads out of a folder is asked for by both of its ways, or the whole place is compared with the folder. */
const asksForParents = /(['"])\.\.\1|\.parts\b/;
const asksForRoot = /startswith\(\s*(?:\(\s*)?['"]\/|\bisabs\(|\bis_absolute\(|\[0\]\s*==\s*['"]\//;
const asksForPlace =
  /\bis_relative_to\(|\bcommonpath\(|\brelative_to\(|\.parents\b|\bstartswith\([^)\n]{0,60}(?:sep\b|\+\s*['"]\/)/;
/** A function of the project that is asked for each entry, by its name. */
const asksOther = /\b\w{0,40}(?:safe|check|valid|inside|within|verify|ensure|contained)\w{0,40}\(/i;
const refuses = /\b(?:raise|return|continue|abort|exit)\b/;

/** Whether entries were looked at before `extractall`, and those that lead elsewhere refused. */
export function checksEntries({ method }: Called, { module, fn }: Frame, at: number): boolean {
  if (module.grammar !== 'python' || !/^extract(?:all)?$/.test(method) || fn === undefined) return false;
  const before = module.text.slice(Math.max(fn.at, at - longest), at);
  const from = before.search(readsEntries);
  if (from < 0) return false;
  const look = before.slice(from);
  const asks =
    (asksForParents.test(look) && asksForRoot.test(look)) || asksForPlace.test(look) || asksOther.test(look);
  return asks && refuses.test(look);
}

/** What is in an archive was put there by whoever made it: that its own place is a good one says nothing of that. */
export const openedArchive: Model = (call: Call) => {
  const value = valueAt(call, 0);
  const taints = allTaints(value);
  if (call.frame.module.grammar !== 'python' || taints.length === 0) return undefined;
  const open = call.machine.rules.bitOf('path-traversal');
  return { taints: reopened(taints, open), ref: 'tarfile.open()' };
};
