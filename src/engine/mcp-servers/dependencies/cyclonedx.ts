/** Packages as a CycloneDX 1.6 bill of materials. */
import { packageKey, purlOf, type Package } from './package.ts';

export interface Bill {
  bomFormat: 'CycloneDX';
  specVersion: '1.6';
  version: 1;
  metadata: Record<string, unknown>;
  components: Record<string, unknown>[];
}

/** One component for each package and version, with the files that name it. */
export function cycloneDxOf(
  packages: readonly Package[],
  about: { name: string; version?: string | undefined; tool: string; toolVersion: string; at: Date },
): Bill {
  const byKey = Map.groupBy(packages, packageKey);
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: about.at.toISOString(),
      tools: { components: [{ type: 'application', name: about.tool, version: about.toolVersion }] },
      component: {
        type: 'application',
        name: about.name,
        'bom-ref': 'root',
        ...(about.version !== undefined && { version: about.version }),
      },
    },
    components: [...byKey.values()].flatMap((same) => {
      const [each] = same;
      if (each === undefined) return [];
      const purl = purlOf(each);
      const [group, name] = each.ecosystem === 'Maven' ? each.name.split(':', 2) : [undefined, each.name];
      return [
        {
          type: 'library',
          'bom-ref': purl,
          name: name ?? each.name,
          ...(group !== undefined && { group }),
          ...(each.version !== undefined && { version: each.version }),
          purl,
          scope: same.every(({ isDevelopment }) => isDevelopment) ? 'excluded' : 'required',
          evidence: {
            occurrences: [...new Set(same.map(({ path }) => path))]
              .slice(0, 20)
              .map((location) => ({ location })),
          },
        },
      ];
    }),
  };
}
