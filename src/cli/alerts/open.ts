/** Alerts of a running Bulwark, as the command line talks to them. */
import { alertOperations } from '#alerts/contract/alerts.ts';
import { createClient, type Client } from '#base/contract/client.ts';
import type { Received } from '#base/contract/operation.ts';
import { AppError } from '#base/errors.ts';
import { baseUrlOf, keyOrLocalKey, type SignInOptions } from '../connection.ts';

export interface AlertOptions extends SignInOptions {
  as?: string;
  json?: boolean;
}

type AlertClient = Client<typeof alertOperations>;
export type Rule = Received<(typeof alertOperations)['listAlertRules']>['rules'][number];
export type Channel = Received<(typeof alertOperations)['listAlertChannels']>['channels'][number];

/** Signs in, by key or by name. Every service answers for alerts: here the policy guard does. */
export async function openAlerts(options: AlertOptions): Promise<AlertClient> {
  const baseUrl = baseUrlOf(options);
  const headers = await keyOrLocalKey({
    ...options,
    baseUrl,
    ...(options.as !== undefined && { username: options.as }),
  });
  return createClient(alertOperations, { baseUrl, headers });
}

/**
 * The one that has this id or, if only one has it, this name.
 * @throws AppError 404 or 409, which says how to go on
 */
export function theOne<T extends { readonly name: string }>(
  all: readonly T[],
  wanted: string,
  { idOf, what }: { idOf: (each: T) => string; what: string },
): T {
  const byId = all.find((each) => idOf(each) === wanted);
  const named = all.filter(({ name }) => name === wanted);
  const [first] = named;
  if (byId !== undefined) return byId;
  if (first === undefined)
    throw new AppError(
      404,
      'unknown_name',
      `There is no ${what} '${wanted}'. \`bulwark alerts list\` lists what there is.`,
    );
  if (named.length > 1)
    throw new AppError(
      409,
      'ambiguous_name',
      `${named.length} have the name '${wanted}'. Give the id of one: ${named.map(idOf).join(', ')}.`,
    );
  return first;
}

/** The subject that a rule is to be about, by its id or its name among what was counted. */
export async function subjectOf(client: AlertClient, source: string, wanted: string): Promise<string> {
  const { subjects } = await client.listAlertSubjects({});
  const ofSource = subjects.filter((each) => each.source === source);
  const known = ofSource.filter(({ name, subject }) => name === wanted || subject === wanted);
  // One that was not counted yet is known by its id alone.
  return known.length === 0
    ? wanted
    : theOne(known, wanted, { idOf: ({ subject }) => subject, what: 'subject' }).subject;
}
