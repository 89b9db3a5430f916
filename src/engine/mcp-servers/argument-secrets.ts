/** What arguments of a command line carry as variables, headers and options would: values that may be secret. */

/** A value among arguments, and what it is called there. */
export interface HeldValue {
  name: string;
  value: string;
}

const mask = '********';

const secretWord = /(?:key|token|secret|passw(?:or)?d|credential|auth)/i;
const option = /^--?[\w-]+$/;
/** `NAME=value` as `env` and `docker run -e` take it, also behind `-e` and `--env=` in the same argument. */
const variable = /^(?<before>(?:--env=|-e)?(?<name>[A-Za-z_]\w*)=)(?<value>.+)$/s;
const optionWithValue = /^(?<before>(?<name>--?[\w-]+)=)(?<value>.+)$/s;
const header = /^(?<before>(?<name>[\w-]+):\s*)(?<value>.+)$/s;
/** Keys whose makers gave them a shape, wherever they stand. */
const shaped =
  /sk-[\w-]{16,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|xox[abprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|glpat-[\w-]{16,}|(?:(?<![\w-])eyJ[\w-]{10,}|eyJ[\w-]{10,400})\.[\w-]{10,}\.[\w-]*/g;

interface Read {
  masked: string;
  held: HeldValue[];
}

function split(arg: string, shape: RegExp, named?: string): Read | undefined {
  const { before, name, value } = shape.exec(arg)?.groups ?? {};
  if (before === undefined || name === undefined || value === undefined) return undefined;
  return { masked: `${before}${mask}`, held: [{ name: named ?? name, value }] };
}

function readArgument(arg: string, previous: string): Read | undefined {
  const isBehind = option.test(previous) && !arg.startsWith('-');
  if (isBehind && /^(?:-H|--header)$/.test(previous)) return split(arg, header);
  if (isBehind && secretWord.test(previous)) return { masked: mask, held: [{ name: previous, value: arg }] };
  const asVariable = split(arg, variable);
  if (asVariable !== undefined) return asVariable;
  const asOption = split(arg, optionWithValue);
  return asOption !== undefined && secretWord.test(asOption.held[0]?.name ?? '') ? asOption : undefined;
}

function readShaped(arg: string): Read {
  const held = (arg.match(shaped) ?? []).map((value) => ({ name: 'args', value }));
  return { masked: arg.replaceAll(shaped, mask), held };
}

const read = (args: readonly string[]): Read[] =>
  args.map((arg, at) => readArgument(arg, args[at - 1] ?? '') ?? readShaped(arg));

/** Arguments as they may be shown and kept: values of variables, headers and secret options are masked. */
export const maskedArguments = (args: readonly string[]): string[] => read(args).map(({ masked }) => masked);

/** The values that {@link maskedArguments} masks. */
export const heldValues = (args: readonly string[]): HeldValue[] => read(args).flatMap(({ held }) => held);
