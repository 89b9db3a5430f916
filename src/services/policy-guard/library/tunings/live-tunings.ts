import type { Database } from '#base/db/database.ts';
import type { Logger } from '#base/log/log.ts';
import type { Head } from '#engine/text/adapted-head.ts';
import type { TextEngine } from '#engine/text/engine.ts';
import type { CompiledPolicy } from '#engine/text/types.ts';
import { learn } from '../heads/learn.ts';
import { createLiveHeads } from '../heads/live-heads.ts';
import { learnedBeside } from '../heads/ordinary.ts';
import { findTuningLesson, saveTuningHead } from './tuning-store.ts';

/** What the lab taught a policy, as judging loads it. */
export interface StoredTuning {
  readonly tuningId: string;
  readonly head: Head;
  /** Null for a shift alone, which does not depend on features. */
  readonly scale: number | null;
  readonly engineVersion: string;
  readonly exemplarsAt: string | null;
}

/** What the lab taught policies, as judging sees it. */
export interface LiveTunings extends AsyncDisposable {
  /**
   * What this engine learned; undefined at first where another engine did, and `onLearned` is called later.
   * @param base the policy that the tuning corrects
   */
  headOf(
    groupUuid: string,
    stored: StoredTuning,
    base: CompiledPolicy,
    onLearned: () => void,
  ): Head | undefined;
}

export function createLiveTunings(
  db: Database,
  engine: Pick<TextEngine, 'analyseInTurns' | 'score' | 'version'>,
  log: Logger,
): LiveTunings {
  const heads = createLiveHeads(engine.version, log);

  const relearn = async (groupUuid: string, tuningId: string, compiled: CompiledPolicy) => {
    const lesson = await findTuningLesson(db, groupUuid, tuningId);
    if (lesson === undefined || lesson.scale === null) return undefined;
    const ordinary = lesson.everyday ? learnedBeside().map((text) => ({ text, violates: false })) : [];
    const examples = [...lesson.examples, ...ordinary];
    const [learned] = await learn(engine, [{ compiled, examples, scale: lesson.scale }]);
    if (learned === undefined) return undefined;
    const head = {
      ...learned.head,
      examples: lesson.examples.length,
      bias: learned.head.bias + lesson.shift,
    };
    await saveTuningHead(db, { groupUuid, tuningId }, head, engine.version);
    return head;
  };

  return {
    headOf(groupUuid, { tuningId, head, scale, engineVersion }, base, onLearned) {
      if (scale === null) return head;
      return heads.headOf(
        `${groupUuid}/${tuningId}`,
        { head, engineVersion },
        () => relearn(groupUuid, tuningId, base),
        onLearned,
      );
    },
    [Symbol.asyncDispose]: () => heads[Symbol.asyncDispose](),
  };
}
