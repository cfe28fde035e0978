import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { Upload } from '@tus/server';
import sharp from 'sharp';
import { type Actor, type ProjectFile, projectFileContract } from '#libs/contracts';
import { createProjectFileStorage, type ProjectFileStorage } from '#libs/file-storage';
import { eventually } from '#libs/testing';
import type { ProjectsUnderTest } from './projects.harness.js';

interface UploadOptions {
  asStaff?: boolean;
  hidden?: boolean;
  name?: string;
}

/** Uploads files as the gateway does: the service permits and finishes uploads, and the bytes go to storage. */
export class FileUploads {
  readonly storage: ProjectFileStorage;

  constructor(
    private readonly projects: ProjectsUnderTest,
    config?: Parameters<typeof createProjectFileStorage>[0],
  ) {
    this.storage = createProjectFileStorage(
      config ?? { IMAGES_DIR: projects.filesDir, IMAGES_S3_REGION: 'eu-test-1' },
    );
  }

  async begin(
    actor: Actor,
    projectId: string,
    bytes: number,
    { asStaff = false, hidden = false, name = 'notes.txt' }: UploadOptions = {},
  ): Promise<string> {
    const input = { projectId, asStaff, hidden, name, bytes };
    return (await this.projects.client.call(projectFileContract.beginUpload, input, { actor })).fileId;
  }

  async store(id: string, body: Buffer): Promise<void> {
    const { uploads } = this.storage;
    const store = await uploads.tusStore();
    const key = uploads.keyOf(id);
    await store.create(new Upload({ id: key, size: body.length, offset: 0 }));
    await store.write(Readable.from([body]), key, 0);
  }

  finish(actor: Actor, id: string): Promise<ProjectFile> {
    return this.projects.client.call(projectFileContract.finishUpload, { id }, { actor });
  }

  async upload(
    actor: Actor,
    projectId: string,
    body: Buffer,
    options: UploadOptions = {},
  ): Promise<ProjectFile> {
    const id = await this.begin(actor, projectId, body.length, options);
    await this.store(id, body);
    return this.finish(actor, id);
  }

  get(actor: Actor, id: string): Promise<ProjectFile> {
    return this.projects.client.call(projectFileContract.getFile, { id }, { actor });
  }

  /** Waits until the file is scanned and its preview is made or given up. */
  async untilExamined(id: string): Promise<{ state: string; preview: string; sha256: string | null }> {
    return eventually(async () => {
      const { rows } = await this.projects.sql.query<{
        state: string;
        preview: string;
        sha256: string | null;
        tasks: string;
      }>(
        `SELECT state, preview, sha256, (SELECT count(*) FROM file_tasks WHERE file_id = $1) AS tasks
           FROM project_files WHERE id = $1`,
        [id],
      );
      const { tasks, ...row } = rows[0]!;
      if (tasks !== '0') throw new Error(`The file ${id} is not examined yet: ${JSON.stringify(row)}`);
      return row;
    });
  }

  /** Attaches files without the checks of the service. Returns the id of what they are attached to. */
  async attach(ids: readonly string[], to: 'message' | 'note' | 'brief' | 'deliverable'): Promise<string> {
    const attachedToId = randomUUID();
    await this.projects.sql.query(
      `UPDATE project_files SET attached_to = $2, attached_id = $3, hidden = $2 = 'note', expires_at = NULL
       WHERE id = ANY ($1::uuid[])`,
      [ids, to, attachedToId],
    );
    return attachedToId;
  }
}

/** Random pixels do not compress. */
export function noisePng(width: number, height: number): Promise<Buffer> {
  const raw = { width, height, channels: 3 as const };
  return sharp(randomBytes(width * height * 3), { raw })
    .png()
    .toBuffer();
}

/** One red page of this size in points. */
export function redPdf(width = 300, height = 200): Buffer {
  const drawing = `1 0 0 rg 0 0 ${width} ${height} re f`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents 4 0 R >>`,
    `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const start = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`;
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}
