import type { Given } from './frame.ts';
import type { Call, Model } from './model.ts';
import { required } from './required-modules.ts';
import { allTaints, type Value } from './value.ts';

/** The first argument itself: what is put around it only looks like a module of the other kind, or like a promise. */
const handedOn: Model = ({ args }) => args[0]?.value;

/** `__awaiter(this, [input], void 0, function* (input) {…})`: an `async` function as older targets have it. */
const started =
  (functionAt: number): Model =>
  ({ expression, args, machine, frame }) => {
    const [list, fn] = [args[1]?.value, args[functionAt]?.value.fn];
    if (fn === undefined) return undefined;
    const given = [...(list?.fields?.values() ?? [])].map((value): Given => ({
      value,
      expression,
      isSpread: false,
    }));
    const { value } = machine.call(fn, given, frame, expression);
    return { ...value, taints: allTaints(value) };
  };

const helpers: ReadonlyMap<string, Model> = new Map(
  Object.entries<Model>({
    __importDefault: handedOn,
    __importStar: handedOn,
    __toESM: handedOn,
    _interopRequireDefault: handedOn,
    _interopRequireWildcard: handedOn,
    _async_to_generator: handedOn,
    _asyncToGenerator: handedOn,
    __require: required,
    __awaiter: started(3),
    __async: started(2),
  }),
);

/**
 * Calls of functions that compilers and bundlers write into a file: known by their names, as following how they do it
 * would lose what they hand on. Undefined for every other call.
 */
export function compiledCall(call: Call): Value | undefined {
  const { expression } = call;
  if (expression.is !== 'call') return undefined;
  const { callee } = expression;
  // `tslib_1.__awaiter(…)`
  const name = callee.is === 'name' ? callee.name : callee.is === 'member' ? callee.property : '';
  return helpers.get(name)?.(call);
}
