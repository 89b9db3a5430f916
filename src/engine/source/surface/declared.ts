import type { SourceModule } from '../modules.ts';
import type { Report } from '../taint/frame.ts';

/** `name: 'query', description: '…'` and `Tool(name="query", description="…")`, in any of the languages. */
const declaration =
  /\b[nN]ame["']?\s*[:=]\s*(["'`])([\w./-]{2,80})\1\s*,\s*(?:["']?title["']?\s*[:=]\s*["'`][^"'`\n]*["'`]\s*,\s*)?["']?[dD]escription["']?\s*[:=]\s*\(?\s*(["'`])([^\n]{0,600})/g;

/** Up to the mark that ends it. */
function textUpTo(mark: string, rest: string): string {
  const end = new RegExp(String.raw`(?<!\\)${mark}`).exec(rest);
  return end === null ? rest : rest.slice(0, end.index);
}

/** What tools say of themselves where they are listed, by their names: servers often answer calls elsewhere. */
function declaredIn(modules: readonly Pick<SourceModule, 'text'>[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const { text } of modules)
    for (const [, , name = '', mark = '', rest = ''] of text.matchAll(declaration))
      if (!found.has(name)) found.set(name, textUpTo(mark, rest));
  return found;
}

/** Reports with what their tool says of itself in a list of tools, where its handler does not know. */
export function withDeclared(
  reports: readonly Report[],
  modules: readonly SourceModule[],
): readonly Report[] {
  let declared: Map<string, string> | undefined;
  return reports.map((report) => {
    const { source } = report.taint;
    if (source.kind !== 'tool' || source.description !== '') return report;
    declared ??= declaredIn(modules);
    const description = declared.get(source.name);
    if (description === undefined) return report;
    return { ...report, taint: { ...report.taint, source: { ...source, description } } };
  });
}
