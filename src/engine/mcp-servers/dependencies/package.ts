/** Packages that a project depends on, as its own files name them. */

export const ecosystems = ['npm', 'PyPI', 'Go', 'crates.io', 'Maven'] as const;
export type Ecosystem = (typeof ecosystems)[number];

export interface Package {
  ecosystem: Ecosystem;
  name: string;
  /** Undefined where only a range is known. */
  version?: string | undefined;
  /** As written, where no version is fixed. */
  range?: string | undefined;
  /** The file that names it. */
  path: string;
  line?: number | undefined;
  isDirect: boolean;
  isDevelopment: boolean;
  /** Where it comes from, if not from the registry of its ecosystem. */
  source?: { kind: 'url' | 'git' | 'file'; at: string } | undefined;
  /** The origin of the registry that a lock file took it from, if not the public one. */
  registry?: string | undefined;
  /** Runs code when it is installed. */
  hasInstallScript?: boolean | undefined;
}

export interface ReadPackages {
  packages: Package[];
  /** Files that name dependencies and could not be read, with the reason. */
  unread: { path: string; reason: string }[];
}

/** A key that is the same for the same package. */
export const packageKey = ({
  ecosystem,
  name,
  version,
}: Pick<Package, 'ecosystem' | 'name' | 'version'>): string => `${ecosystem}\n${name}\n${version ?? ''}`;

/** The package URL (purl) of a package. */
export function purlOf({ ecosystem, name, version }: Package): string {
  const type = { npm: 'npm', PyPI: 'pypi', Go: 'golang', 'crates.io': 'cargo', Maven: 'maven' }[ecosystem];
  const path = (ecosystem === 'Maven' ? name.replace(':', '/') : name)
    .split('/')
    .map(encodeURIComponent)
    .join('/');
  return `pkg:${type}/${path}${version === undefined ? '' : `@${encodeURIComponent(version)}`}`;
}
