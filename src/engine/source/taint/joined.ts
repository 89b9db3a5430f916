import { builtAt } from './built.ts';
import type { Model } from './model.ts';
import { textOf } from './texts.ts';
import { allTaints, clean } from './value.ts';

/** Where a part that is absolute takes the place of all before it. */
const beginsAnew = /(?:^|\.)(?:os\.path|posixpath|ntpath)\.join$|pathlib\.|\.joinpath$/;

/** Arguments one behind the other, after the object that the method is called on. */
export const joinedText: Model = ({ called, args, machine, frame, expression }) => {
  const parts = args.map(({ value }) =>
    value.fields === undefined ? value : { ...value, taints: allTaints(value) },
  );
  const all = called.object === undefined ? parts : [called.object, ...parts];
  const { at, end } = expression;
  return builtAt(textOf(all, machine, beginsAnew.test(called.name)), { module: frame.module, at, end });
};

/** Parts of a path; a single one is the same thing. */
export const joinedPath: Model = (call) => {
  const [only, ...others] = call.args;
  const of = only?.value.of;
  return {
    ...(joinedText(call) ?? clean),
    ...(/(?:^|[.?])File$/.test(call.called.name) ? { ref: `${call.called.name}()` } : {}),
    ...(others.length === 0 && of !== undefined ? { of } : {}),
  };
};
