/** E-mail notifications about blocked actions: at most one per rule and session in ten minutes. */
import { LRUCache } from 'lru-cache';
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import type { Jobs } from '#base/jobs/jobs.ts';
import type { Logger } from '#base/log/log.ts';
import type { Mail, Mailer } from '#base/mail/mailer.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import type { ActionGuardEvents } from '../events.ts';
import { noticeOf } from './notice.ts';
import { claimNotices, deleteNoticesBefore } from './store.ts';

export interface Notices extends AsyncDisposable {
  /** Sends an e-mail about a blocked action if one is due; runs in the background. */
  announce(evaluation: Evaluation): void;
}

interface Deps {
  readonly db: Database;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly log: Logger;
  readonly events: ActionGuardEvents;
  /** Undefined if no mail server is configured. */
  readonly mailer: Mailer | undefined;
}

interface NoticeJob extends Mail {
  policySetId: string;
}

const jobName = 'action-guard-notice';
const cleanUpName = 'action-guard-notice-clean-up';
const silenceMs = 600_000;
const maxRemembered = 100_000;

export async function openNotices(deps: Deps): Promise<Notices> {
  const { db, jobs, clock, log, events, mailer } = deps;
  if (mailer === undefined)
    return { announce: () => undefined, [Symbol.asyncDispose]: async () => undefined };
  const pending = new Set<Promise<void>>();
  // Recently sent notifications, cached so that many blocked calls do not cause many queries.
  const lately = new LRUCache<string, number>({ max: maxRemembered });

  await jobs.define<NoticeJob>(
    jobName,
    { retries: 5, retryDelaySeconds: 30, timeoutSeconds: 120 },
    async ({ data }) => {
      await mailer.send(data);
      events.noticeSent(data.policySetId, data.to.length);
    },
  );
  await jobs.define(cleanUpName, {}, () => deleteNoticesBefore(db, new Date(clock.now() - silenceMs)));
  await jobs.schedule(cleanUpName, { everySeconds: 3600 });

  async function send(evaluation: Evaluation): Promise<void> {
    const { caller, question, verdict, liveSet } = evaluation;
    const nowMs = clock.now();
    const session = { tenantId: caller.tenantId, userId: caller.userId, sessionId: question.sessionId };
    const keyOf = (ruleId: string) => JSON.stringify([session, ruleId]);
    const ruleIds = verdict.violations
      .map(({ rule }) => rule.ruleId)
      .filter((ruleId) => nowMs - (lately.get(keyOf(ruleId)) ?? -Infinity) >= silenceMs);
    if (ruleIds.length === 0) return;
    for (const ruleId of ruleIds) lately.set(keyOf(ruleId), nowMs);
    try {
      await db.transaction(async (tx) => {
        const times = { now: new Date(nowMs), since: new Date(nowMs - silenceMs) };
        const due = new Set(await claimNotices(tx, session, ruleIds, times));
        if (due.size === 0) return;
        const told = verdict.violations.filter(({ rule }) => due.has(rule.ruleId));
        const mail = { ...noticeOf(evaluation, told), to: liveSet.notifyEmails };
        await jobs.send<NoticeJob>(jobName, { ...mail, policySetId: liveSet.policySetId }, { tx });
      });
    } catch (error) {
      for (const ruleId of ruleIds) lately.delete(keyOf(ruleId));
      throw error;
    }
  }

  return {
    announce(evaluation) {
      if (evaluation.liveSet.notifyEmails.length === 0) return;
      const done: Promise<void> = send(evaluation)
        .catch((err: unknown) => log.error({ err }, 'a notice of a blocked action was not sent'))
        .finally(() => pending.delete(done));
      pending.add(done);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(pending);
      mailer.close();
    },
  };
}
