import type { Cache } from '#base/cache/cache.ts';
import type { ConfigOf } from '#base/config/setting.ts';
import { StartupError } from '#base/errors.ts';
import type { TextEngine } from '#engine/text/engine.ts';
import type { LanguageModel } from '#llm/language-model.ts';
import type { policyGuardSections } from '../../config.ts';
import type { JudgingEvents } from '../events.ts';
import { readBands } from './bands.ts';
import { needs, type EngineChoice } from '../../guards/engines.ts';
import { Judging } from './judging.ts';
import { LanguageModelBackend, type Calibrations } from './language-model/language-model-backend.ts';
import { createModerationBackend } from './moderation.ts';
import { openOnnxBackend } from './onnx.ts';
import { shippedBands } from './shipped-bands.ts';

interface OpenJudgingDeps {
  readonly settings: ConfigOf<typeof policyGuardSections>['policyGuardJudge'];
  readonly engine: TextEngine;
  readonly cache: Cache;
  readonly languageModel: LanguageModel | undefined;
  readonly calibrations: Calibrations;
  readonly events: Pick<JudgingEvents, 'judgeFailed'>;
}

/**
 * The judges that are configured.
 * @throws StartupError where the configured engine has not what it needs.
 */
export async function openJudging({
  settings,
  engine,
  cache,
  languageModel,
  ...deps
}: OpenJudgingDeps): Promise<{
  readonly judging: Judging;
  readonly llm: LanguageModelBackend | undefined;
}> {
  const { batchSize, callsAtATime, moderationUrl: baseUrl, onnxFolder } = settings;
  const llm =
    languageModel &&
    new LanguageModelBackend({
      model: languageModel,
      cache,
      calibrations: deps.calibrations,
      batchSize,
      callsAtATime,
    });
  const moderation =
    baseUrl === undefined
      ? undefined
      : createModerationBackend({
          baseUrl,
          apiKey: settings.moderationApiKey,
          model: settings.moderationModel,
        });
  const onnx = onnxFolder === undefined ? undefined : await openOnnxBackend(onnxFolder);
  const judging = new Judging({
    engine,
    backends: { llm, moderation, onnx },
    preset: { engine: presetEngine(settings.engine, llm !== undefined), failMode: settings.failMode },
    // A configured band, for one detector or for all, overrides the shipped one.
    bands: new Map([...readBands(shippedBands()), ...readBands(settings.bands)]),
    timeoutMs: settings.timeoutMs,
    reasoning: settings.reasoning,
    events: deps.events,
  });
  if (!judging.engines.includes(judging.preset.engine))
    throw new StartupError(
      `policy_guard_judge.engine is ${judging.preset.engine}, which needs ${needs[judging.preset.engine]}.`,
    );
  return { judging, llm };
}

const presetEngine = (setting: 'auto' | EngineChoice, hasModel: boolean): EngineChoice =>
  setting === 'auto' ? (hasModel ? 'cascade' : 'embedded') : setting;
