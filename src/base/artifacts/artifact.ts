/** Owner of a file; only users of the tenant can see it. */
export interface ArtifactOwner {
  readonly tenantId: string;
  /** The user who created it; null for the platform itself. */
  readonly userId: string | null;
}

export interface Artifact {
  readonly id: string;
  readonly userId: string | null;
  readonly name: string;
  readonly mediaType: string;
  readonly sizeBytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly createdAt: Date;
  /** Null if it never expires. */
  readonly expiresAt: Date | null;
}

/** Bytes `start` to `end`, zero-based and inclusive, as in HTTP. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}
