import type { Tracing } from '#base/tracing/tracing.ts';
import type { LanguageModel } from './language-model.ts';

/** The model with a span for each question; the model itself where nothing is traced. Spans hold neither prompt nor answer. */
export function traced(model: LanguageModel, tracing: Tracing | undefined): LanguageModel {
  if (tracing === undefined) return model;
  return {
    model: model.model,
    classify: (request, options) => tracing.span('llm.classify', () => model.classify(request, options)),
    structured: (request, options) =>
      tracing.span('llm.structured', () => model.structured(request, options)),
    complete: (request, options) => tracing.span('llm.complete', () => model.complete(request, options)),
    capabilities: (options) => model.capabilities(options),
    status: () => model.status(),
    [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
  };
}
