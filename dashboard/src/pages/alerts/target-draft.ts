import type { Alert, AlertInput } from '../../api/alerts.ts';

type Target = Alert['targets'][number];
type TargetInput = NonNullable<AlertInput['targets']>[number];

export type TargetKind = Target['kind'];

/** Somebody whom an alert tells, as it is typed. */
export interface TargetDraft {
  /** Tells rows apart while they are edited. */
  readonly key: string;
  /** Of one that the alert has already. */
  readonly targetId?: string;
  readonly kind: TargetKind;
  /** Mail addresses, or a URL; empty for Slack's, which is not shown again. */
  readonly address: string;
}

export const newTarget = (kind: TargetKind): TargetDraft => ({ key: crypto.randomUUID(), kind, address: '' });

export const targetDraftOf = ({ target_id: id, kind, mail_to: mailTo, url }: Target): TargetDraft => ({
  key: id,
  targetId: id,
  kind,
  address: kind === 'mail' ? (mailTo ?? []).join(', ') : (url ?? ''),
});

/** Addresses on lines of their own, or with commas or blanks between them. */
export const addressesIn = (text: string): string[] => text.split(/[\s,;]+/).filter((each) => each !== '');

/** What is sent of it. A target of another kind than before is a new one. */
export function targetOf({ targetId, kind, address }: TargetDraft): TargetInput {
  const same = targetId === undefined ? {} : { target_id: targetId };
  if (kind === 'mail') return { ...same, kind, mail_to: addressesIn(address) };
  const url = address.trim();
  if (kind === 'webhook') return { ...same, kind, url };
  return { ...same, kind, ...(url !== '' && { url }) };
}
