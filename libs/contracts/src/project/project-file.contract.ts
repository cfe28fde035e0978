import { z } from 'zod';
import { deleted } from '../answers.js';
import { command, query } from '../contract.js';
import { grouped, operation, relay, relayedIn } from '../operation.js';
import { adminsOnly, signedInOnly } from '../policy.js';
import { isStorable } from '../text.js';

export const projectFile = z.object({
  _id: z.string(),
  name: z.string(),
  bytes: z.int(),
  /** Read from its bytes, e.g. `image/png`; `application/octet-stream` if unknown. */
  type: z.string(),
  /** `scanning`: held back until the virus scanner has answered. `infected`: never handed out. */
  state: z.enum(['scanning', 'ready', 'infected']),
  /** Whether `GET /project-file/{id}/preview` has a picture; `rendering` while it is being made. */
  preview: z.enum(['none', 'rendering', 'ready']),
  side: z.enum(['customer', 'staff']),
  /** A name, not an id. */
  uploadedBy: z.string(),
  createdAt: z.string(),
});
export type ProjectFile = z.infer<typeof projectFile>;

const files = z.array(projectFile.meta({ id: 'ProjectFile' }));

export const staffProjectFile = projectFile.extend({
  /** Part of a note: customers cannot see it. */
  hidden: z.boolean(),
});

export const projectFileOperations = grouped('Project files', {
  listProjectFiles: relay({
    at: 'GET /project/:id/files',
    pattern: 'projects.files',
    summary: 'The files of the thread, brief and deliverables, newest first; at most 2,000',
    policy: signedInOnly,
    answer: files,
  }),
  listStaffProjectFiles: relay({
    at: 'GET /staff-project/:id/files',
    pattern: 'projects.staffFiles',
    summary: 'The files of the thread, notes, brief and deliverables, newest first, for staff; at most 2,000',
    policy: adminsOnly,
    answer: z.array(staffProjectFile.meta({ id: 'StaffProjectFile' })),
  }),
  /** Throws INVALID_TRANSITION if the file is attached to something. */
  deleteProjectFile: relay({
    at: 'DELETE /project-file/:id',
    pattern: 'projects.deleteFile',
    summary: 'Delete a file that you have uploaded, unless it is attached to something',
    policy: signedInOnly,
    answer: deleted,
    failures: ['INVALID_TRANSITION'],
  }),
});

const uploadState = z.object({
  _id: z.string(),
  /** How many bytes have arrived. */
  offset: z.int(),
  bytes: z.int(),
  /** Null until all bytes have arrived. */
  file: projectFile.nullable(),
});

export const uploadContentType = 'application/offset+octet-stream';

/** The gateway receives and sends the bytes of files itself. */
export const fileTransferOperations = grouped('Project files', {
  /**
   * Follows tus 1.0 (https://tus.io/protocols/resumable-upload) with the extensions `creation` and `termination`. `Upload-Metadata` contains
   * `project` (the project’s id), `name`, `side` (`staff` for files of staff, otherwise `customer`) and `hidden` (`true` for files of notes). The
   * last part of the answer’s `Location` is the id of the file. Throws COLLECTION_FULL if the project has no room.
   */
  beginProjectUpload: operation({
    at: 'POST /project-uploads',
    summary: 'Begin a resumable upload (tus): its length and its metadata',
    policy: signedInOnly,
    tus: true,
    status: 201,
    answer: z.undefined(),
    writesReply: true,
    failures: ['NOT_FOUND', 'FORBIDDEN', 'INVALID_INPUT', 'COLLECTION_FULL', 'OVERLOADED'],
  }),
  /**
   * The answer, also to HEAD, has the headers `Upload-Offset` and `Upload-Length` of tus. Repairs what a crash has left: finishes an upload that has
   * all bytes but is not a file yet, and cancels one that was not created in storage (NOT_FOUND).
   */
  getProjectUpload: operation({
    at: 'GET /project-uploads/:id',
    summary: 'How many bytes of an upload of yours have arrived; the file, once it is complete',
    policy: signedInOnly,
    answer: uploadState.meta({ id: 'ProjectUpload' }),
  }),
  /**
   * Requires the header `Upload-Offset`. The upload becomes a file when its last bytes arrive. Throws INVALID_TRANSITION if the bytes do not continue
   * what has arrived. Throws UPLOAD_CONTINUED_ELSEWHERE if another request continues or reads the upload meanwhile: clients must not repeat the
   * request automatically after this error, because the two requests would interrupt each other.
   */
  sendProjectUpload: operation({
    at: 'PATCH /project-uploads/:id',
    summary: 'Send the next bytes of an upload (tus)',
    policy: signedInOnly,
    tus: true,
    streamedBody: uploadContentType,
    status: 204,
    answer: z.undefined(),
    writesReply: true,
    failures: ['INVALID_INPUT', 'INVALID_TRANSITION', 'OVERLOADED'],
  }),
  cancelProjectUpload: operation({
    at: 'DELETE /project-uploads/:id',
    summary: 'Cancel an upload; if it is complete, the file is deleted, unless it is attached to something',
    policy: signedInOnly,
    tus: true,
    status: 204,
    answer: z.undefined(),
    writesReply: true,
  }),
  /**
   * Sends the whole file or a range of its bytes, always as an attachment. Staff can download every attached file, and the customer’s side all but
   * those of notes. Only the uploader can download a file that is not attached to anything. Throws UNAVAILABLE during the virus scan, NOT_FOUND for a
   * file with a virus.
   */
  downloadProjectFile: operation({
    at: 'GET /project-file/:id',
    summary: 'A file, as a download',
    policy: signedInOnly,
    answer: z.undefined(),
    mediaType: 'application/octet-stream',
    ranges: true,
    writesReply: true,
    failures: ['UNAVAILABLE'],
  }),
  previewProjectFile: operation({
    at: 'GET /project-file/:id/preview',
    summary: 'A small preview of a picture or of the first page of a PDF, as WebP',
    policy: signedInOnly,
    answer: z.undefined(),
    mediaType: 'image/webp',
    writesReply: true,
  }),
});

const fileIdInput = z.object({ id: z.string() });

export const projectFileContract = {
  ...relayedIn(projectFileOperations),
  /**
   * The caller uploads as staff if `asStaff`, otherwise from the customer’s side. Reserves room in the project until the upload is cancelled or
   * expires. Throws NOT_FOUND for a project that the caller may not see; FORBIDDEN for `asStaff` by somebody who is not staff; INVALID_INPUT for an
   * empty or too large file; COLLECTION_FULL if the project has no room.
   */
  beginUpload: command({
    pattern: 'projects.beginUpload',
    access: 'customer',
    input: z.object({
      projectId: z.string(),
      asStaff: z.boolean(),
      /** With `asStaff`: hidden from the customer, for files of notes. */
      hidden: z.boolean().default(false),
      /** Any text. Folders and deceptive characters are removed. */
      name: z.string().max(10_000).refine(isStorable, 'contains characters that cannot be stored'),
      bytes: z.int(),
    }),
    output: z.object({ fileId: z.string() }),
  }),
  /**
   * Throws NOT_FOUND if the caller may not continue the upload: it is not theirs, is attached to something, or has expired. `file` is set once the
   * upload is finished.
   */
  getUpload: query({
    pattern: 'projects.checkUpload',
    access: 'customer',
    input: fileIdInput,
    output: z.object({ bytes: z.int(), file: projectFile.nullable() }),
  }),
  /** A repeated call returns the same file until it is attached. Throws NOT_FOUND; INVALID_TRANSITION unless all bytes are in storage. */
  finishUpload: command({
    pattern: 'projects.finishUpload',
    access: 'customer',
    input: fileIdInput,
    output: projectFile,
    // Copies up to 200 MB.
    deadlineMs: 60_000,
  }),
  /** Also cancels a finished upload whose file is not attached to anything. Throws NOT_FOUND. */
  cancelUpload: command({
    pattern: 'projects.cancelUpload',
    access: 'customer',
    input: fileIdInput,
    output: z.object({}),
  }),
  /** Throws NOT_FOUND also if the caller may not see the file, for an unfinished upload, and for a file with a virus. */
  getFile: query({
    pattern: 'projects.file',
    access: 'customer',
    input: fileIdInput,
    output: projectFile,
  }),
} as const;
