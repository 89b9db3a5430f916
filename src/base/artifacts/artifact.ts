/** Whose a file is: only the tenant's people see it. */
export interface ArtifactOwner {
  readonly tenantId: string;
  /** Who made it; null for the platform itself. */
  readonly userId: string | null;
}

export interface Artifact {
  readonly id: string;
  readonly userId: string | null;
  readonly name: string;
  readonly mediaType: string;
  readonly sizeBytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
  readonly createdAt: Date;
  /** Null where it is kept until it is deleted. */
  readonly expiresAt: Date | null;
}

/** Bytes from `start` to `end`, both included and counted from 0, as in HTTP. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}
