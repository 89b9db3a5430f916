import type { Handlers } from '#base/http/mount.ts';
import { draftRule } from '#engine/rules/reading/draft.ts';
import type { Caller } from '#identity/caller.ts';
import type { ruleOperations } from '../contract/rules.ts';
import { viewDraft } from './view.ts';

export const draftHandlers = (): Handlers<typeof ruleOperations, Caller> => ({
  draftRule: ({ body }) => viewDraft(draftRule(body.text.trim())),
});
