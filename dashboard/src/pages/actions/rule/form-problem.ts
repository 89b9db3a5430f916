import { plainProblem } from './field-words.ts';
import { expressionAt, type Form, isPredicate } from './form.ts';
import { wordsOfKind } from './predicate-words.ts';

/** The test that the message speaks of by its place, such as `rule.when.all[1].over`. */
function testAt(form: Form, message: string): string | undefined {
  const place = /'rule\.([\w.[\]]+)'/.exec(message)?.[1];
  if (place === undefined) return undefined;
  const found = expressionAt(form, place) ?? expressionAt(form, place.split('.').slice(0, -1).join('.'));
  return found !== undefined && isPredicate(found) ? found.is : undefined;
}

/** The service's message about a form, with the names that people see. */
export function formProblem(form: Form | undefined, message: string): string {
  const is = form && testAt(form, message);
  return is === undefined ? message : `${plainProblem(is, message)} (${wordsOfKind(is).name})`;
}
