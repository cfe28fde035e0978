import type { ProjectFile } from '#libs/contracts';

export interface FileRow {
  id: string;
  projectId: string;
  side: 'customer' | 'staff';
  /** Whether the file is hidden from the customer, because it was uploaded for a staff note or belongs to one. */
  hidden: boolean;
  /** Null once the uploader has deleted their account. */
  accountId: string | null;
  uploaderName: string;
  name: string;
  bytes: number;
  /** Null until the upload is complete. */
  type: string | null;
  state: 'uploading' | 'scanning' | 'ready' | 'infected';
  preview: 'none' | 'rendering' | 'ready';
  attachedTo: AttachedTo | null;
  attachedToId: string | null;
  /** Null while the file is attached. */
  expiresAt: Date | null;
  createdAt: Date;
}

export type AttachedTo = 'message' | 'note' | 'brief' | 'deliverable';

/** Only for files whose upload is complete. An unfinished one would be shown as being scanned. */
export function fileView(row: FileRow): ProjectFile {
  return {
    _id: row.id,
    name: row.name,
    bytes: row.bytes,
    type: row.type ?? unknownType,
    state: row.state === 'uploading' ? 'scanning' : row.state,
    // The preview of a file that is still being scanned would reveal its content.
    preview: row.state === 'ready' ? row.preview : 'none',
    side: row.side,
    uploadedBy: row.uploaderName,
    createdAt: row.createdAt.toISOString(),
  };
}

export const unknownType = 'application/octet-stream';
