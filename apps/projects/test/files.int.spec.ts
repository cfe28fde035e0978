import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createDeflate, deflateSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Upload } from '@tus/server';
import sharp from 'sharp';
import { DataSource } from 'typeorm';
import { type Actor, fileLimits, projectFileContract, threadContract } from '#libs/contracts';
import { transaction } from '#libs/database';
import { projectFileName, projectPreviewName } from '#libs/file-storage';
import { Clock } from '#libs/runtime';
import { eventually, fullTest, sampleEvery } from '#libs/testing';
import { ClamdStandIn, eicar } from '../../../dev/stand-ins/clamd/clamd.js';
import { S3StandIn } from '../../../dev/stand-ins/s3/s3.js';
import { FileExpiryWorker } from '../file/file-expiry.worker.js';
import { FileRepository } from '../file/file.repository.js';
import { FileUploads, noisePng, redPdf } from './files.harness.js';
import { adminNamed, customerNamed, type ProjectsUnderTest, startProjects } from './projects.harness.js';

const owner = customerNamed('owner');
const member = customerNamed('member');
const billing = customerNamed('billing');
const outsider = customerNamed('outsider');
const staff = adminNamed('eve');
const text = Buffer.from('What we agreed on.');
const notFound = { code: 'NOT_FOUND' };

const credentials = { region: 'eu-test-1', accessKeyId: 'KEY', secretAccessKey: 'a secret/with+signs' };
const dayMs = 24 * 60 * 60 * 1000;

let projects: ProjectsUnderTest;
let uploads: FileUploads;
const uploadSize = (id: string) => uploads.storage.uploads.findSize(id);

async function addColleagues(): Promise<void> {
  await projects.join(owner.accountId, member);
  await projects.join(owner.accountId, billing, 'billing');
}

function instance<T>(type: abstract new (...args: never[]) => T, replica = 0): T {
  return projects.replicas[replica]!.app.get(type as never, { strict: false });
}

function newProject(): Promise<string> {
  return projects.put({ accountId: owner.accountId });
}

async function fileBytes(id: string): Promise<Buffer | undefined> {
  return uploads.storage.files.findBytes(id, projectFileName);
}

describe('with storage in a folder', () => {
  beforeAll(async () => {
    projects = await startProjects();
    uploads = new FileUploads(projects);
    await addColleagues();
  });
  afterAll(() => projects?.stop());

  describe('an upload', () => {
    test('becomes a file; its type is read from its bytes, and folders and deceptive characters are removed from its name', async () => {
      const file = await uploads.upload(owner, await newProject(), await noisePng(30, 20), {
        name: 'C:\\temp\\report\u202Efdp.exe',
      });
      expect(file).toEqual({
        _id: expect.any(String),
        name: 'reportfdp.exe',
        bytes: expect.any(Number),
        type: 'image/png',
        state: 'ready',
        preview: 'rendering',
        side: 'customer',
        uploadedBy: 'Ada Lovelace',
        createdAt: expect.any(String),
      });
    });

    test('takes effect once, however often and at whichever replica it is finished', async () => {
      const id = await uploads.begin(owner, await newProject(), text.length);
      await uploads.store(id, text);
      const finished = await Promise.all(Array.from({ length: 6 }, () => uploads.finish(owner, id)));
      expect(new Set(finished.map((file) => JSON.stringify(file))).size).toBe(1);
      expect((await uploads.untilExamined(id)).sha256).toBe(createHash('sha256').update(text).digest('hex'));
      expect(await fileBytes(id)).toEqual(text);
      await eventually(async () => expect(await uploadSize(id)).toBeUndefined());
    });

    test('cannot be finished before its last byte has arrived', async () => {
      const id = await uploads.begin(owner, await newProject(), text.length + 1);
      await expect(uploads.finish(owner, id)).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
      await uploads.store(id, text);
      await expect(uploads.finish(owner, id)).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
      expect(await fileBytes(id)).toBeUndefined();
    });

    test('that is finished cannot be changed by a request that is still writing', async () => {
      const id = await uploads.begin(owner, await newProject(), text.length);
      await uploads.store(id, text);
      const path = join(projects.filesDir, 'private', 'project-uploads', id);
      const writer = await open(path, 'r+');
      await uploads.finish(owner, id);
      await writer.write('evil');
      await writer.close();
      expect(await fileBytes(id)).toEqual(text);
    });

    test.each([0, -1, fileLimits.bytes + 1])('of %d bytes is refused', async (bytes) => {
      await expect(uploads.begin(owner, await newProject(), bytes)).rejects.toMatchObject({
        code: 'INVALID_INPUT',
      });
    });

    test('of 200 MB is permitted', async () => {
      expect(await uploads.begin(owner, await newProject(), fileLimits.bytes)).toEqual(expect.any(String));
    });

    test('is permitted only on one’s own side, and only to a project that one can see', async () => {
      const id = await newProject();
      for (const actor of [owner, member]) await uploads.begin(actor, id, 1);
      await uploads.begin(staff, id, 1, { asStaff: true });
      for (const actor of [billing, outsider, staff])
        await expect(uploads.begin(actor, id, 1)).rejects.toMatchObject(notFound);
      await expect(uploads.begin(owner, id, 1, { asStaff: true })).rejects.toMatchObject({
        code: 'FORBIDDEN',
      });
      for (const unknown of [randomUUID(), 'x', '../x'])
        await expect(uploads.begin(owner, unknown, 1)).rejects.toMatchObject(notFound);
    });

    test('can be continued, finished and cancelled only by the person who began it', async () => {
      const id = await uploads.begin(member, await newProject(), text.length);
      await uploads.store(id, text);
      for (const actor of [owner, outsider, staff]) {
        for (const contract of [
          projectFileContract.getUpload,
          projectFileContract.finishUpload,
          projectFileContract.cancelUpload,
        ])
          await expect(projects.client.call(contract, { id }, { actor })).rejects.toMatchObject(notFound);
      }
      const check = () => projects.client.call(projectFileContract.getUpload, { id }, { actor: member });
      expect(await check()).toEqual({ bytes: text.length, file: null });
      // A colleague who may no longer see the project cannot continue.
      await projects.sql.query('UPDATE team_members SET role = $2 WHERE account_id = $1', [
        member.accountId,
        'billing',
      ]);
      await expect(check()).rejects.toMatchObject(notFound);
      await expect(uploads.finish(member, id)).rejects.toMatchObject(notFound);
      await projects.sql.query('UPDATE team_members SET role = $2 WHERE account_id = $1', [
        member.accountId,
        'member',
      ]);
      const file = await uploads.finish(member, id);
      expect(await check()).toEqual({ bytes: text.length, file });
    });

    test('that is cancelled leaves nothing behind, whether it was finished or not', async () => {
      const projectId = await newProject();
      const unfinished = await uploads.begin(owner, projectId, text.length);
      await uploads.store(unfinished, text);
      const { _id: finished } = await uploads.upload(owner, projectId, text);
      for (const id of [unfinished, finished]) {
        await projects.client.call(projectFileContract.cancelUpload, { id }, { actor: owner });
        await expect(uploads.get(owner, id)).rejects.toMatchObject(notFound);
        await eventually(async () => {
          expect([await uploadSize(id), await fileBytes(id)]).toEqual([undefined, undefined]);
          const { rows } = await projects.sql.query('SELECT 1 FROM project_files WHERE id = $1', [id]);
          expect(rows).toEqual([]);
        });
      }
    });
  });

  describe('the storage of a project', () => {
    const full = { code: 'COLLECTION_FULL' };
    /** Inserts the rows of this many uploads that are under way. */
    async function fill(projectId: string, files: number, bytesEach: number): Promise<void> {
      await projects.sql.query(
        `INSERT INTO project_files (id, project_id, side, account_id, uploader_name, name, bytes, state, expires_at, created_at)
         SELECT gen_random_uuid(), $1, 'customer', $2, 'Ada', 'x', $3, 'uploading', now() + interval '1 day', now()
         FROM generate_series(1, $4)`,
        [projectId, owner.accountId, bytesEach, files],
      );
    }
    // The tests of expiry would remove these rows one after another, which takes seconds.
    afterAll(() => projects.sql.query(`DELETE FROM project_files WHERE name = 'x'`));

    test('can be filled to the limit of bytes, and no further, when twenty uploads begin at the same time', async () => {
      const id = await newProject();
      const each = 150 * 1024 * 1024;
      await fill(id, 1, fileLimits.projectBytes - 7 * each - 5);
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, () => uploads.begin(owner, id, each)),
      );
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(7);
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(full);
      await uploads.begin(owner, id, 5);
      await expect(uploads.begin(owner, id, 1)).rejects.toMatchObject(full);
    });

    test('can be filled to the limit of files, and no further, by both sides together', async () => {
      const id = await newProject();
      await fill(id, fileLimits.projectFiles - 3, 1);
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, (_, n) =>
          n % 2 ? uploads.begin(owner, id, 1) : uploads.begin(staff, id, 1, { asStaff: true }),
        ),
      );
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    });

    test('is free again once an upload is cancelled or has expired', async () => {
      const id = await newProject();
      await fill(id, fileLimits.projectFiles - 1, 1);
      const last = await uploads.begin(owner, id, 1);
      await expect(uploads.begin(owner, id, 1)).rejects.toMatchObject(full);
      await projects.client.call(projectFileContract.cancelUpload, { id: last }, { actor: owner });
      const next = await uploads.begin(owner, id, 1);
      await expect(uploads.begin(owner, id, 1)).rejects.toMatchObject(full);
      await projects.sql.query('UPDATE project_files SET expires_at = now() WHERE id = $1', [next]);
      await uploads.begin(owner, id, 1);
    });
  });

  describe('expiry', () => {
    /** Runs with a clock that is ahead by this many milliseconds. */
    async function ahead<T>(ms: number, run: () => Promise<T>): Promise<T> {
      const clocks = [0, 1].map((replica) => instance(Clock, replica));
      const later = () => new Date(Date.now() + ms);
      for (const clock of clocks) clock.now = later;
      try {
        return await run();
      } finally {
        for (const clock of clocks) clock.now = () => new Date();
      }
    }
    const sweep = () => instance(FileExpiryWorker).removeExpired();
    const rowCountOf = async (id: string) =>
      (await projects.sql.query('SELECT 1 FROM project_files WHERE id = $1', [id])).rowCount;

    test('removes unfinished uploads after a day and unsent files after a week; what was sent stays', async () => {
      const projectId = await newProject();
      const unfinished = await uploads.begin(owner, projectId, text.length + 5);
      await uploads.store(unfinished, text);
      const unsent = (await uploads.upload(owner, projectId, text))._id;
      const sent = (await uploads.upload(owner, projectId, text))._id;
      await uploads.attach([sent], 'message');
      for (const id of [unsent, sent]) await uploads.untilExamined(id);

      await ahead(dayMs - 60_000, sweep);
      expect(await uploadSize(unfinished)).toBe(text.length);
      await ahead(dayMs + 60_000, async () => {
        // The upload has expired even before it is removed.
        await expect(uploads.finish(owner, unfinished)).rejects.toMatchObject(notFound);
        await sweep();
      });
      expect([await uploadSize(unfinished), await rowCountOf(unfinished)]).toEqual([undefined, 0]);
      expect([await fileBytes(unsent), await rowCountOf(unsent)]).toEqual([text, 1]);
      await ahead(7 * dayMs + 60_000, sweep);
      expect([await fileBytes(unsent), await rowCountOf(unsent)]).toEqual([undefined, 0]);
      expect([await fileBytes(sent), await rowCountOf(sent)]).toEqual([text, 1]);
    });

    test('removes uploads that have no row any more, such as those of demo projects that were removed', async () => {
      const projectId = await newProject();
      const [known, orphan] = [
        await uploads.begin(owner, projectId, text.length + 5),
        await uploads.begin(owner, projectId, text.length + 5),
      ];
      for (const id of [known, orphan]) await uploads.store(id, text);
      await projects.sql.query('DELETE FROM project_files WHERE id = $1', [orphan]);
      await instance(FileExpiryWorker).removeOrphans();
      expect(await uploadSize(orphan)).toBe(text.length);
      await instance(FileExpiryWorker).removeOrphans(new Date(Date.now() + 1000));
      expect([await uploadSize(orphan), await uploadSize(known)]).toEqual([undefined, text.length]);
      const names = await readdir(join(projects.filesDir, 'private', 'project-uploads'));
      expect(names.filter((name) => name.startsWith(orphan))).toEqual([]);
    });

    test('removes a preview that was stored after the file of a deleted message had been removed', async () => {
      const { _id } = await uploads.upload(owner, await newProject(), text);
      await uploads.attach([_id], 'message');
      await uploads.untilExamined(_id);
      // Postgres counts microseconds, and the clock only milliseconds: a file that expires now may not have expired by the clock.
      await projects.sql.query(
        `UPDATE project_files SET deleted_at = now(), expires_at = now() - interval '1 second' WHERE id = $1`,
        [_id],
      );
      await sweep();
      await uploads.storage.previews.put(_id, [{ name: projectPreviewName, body: text }]);
      await instance(FileExpiryWorker).removeOrphans(new Date(Date.now() + 1000));
      expect(await uploads.storage.previews.findBytes(_id, projectPreviewName)).toBeUndefined();
      expect(await rowCountOf(_id)).toBe(1);
    });

    test('removes what a killed process has left in storage, but nothing that is younger than a day', async () => {
      const projectId = await newProject();
      const { _id: known } = await uploads.upload(owner, projectId, text);
      const orphan = randomUUID();
      await uploads.storage.files.put(orphan, [{ name: projectFileName, body: text }]);
      await instance(FileExpiryWorker).removeOrphans();
      expect(await fileBytes(orphan)).toEqual(text);
      await instance(FileExpiryWorker).removeOrphans(new Date(Date.now() + 1000));
      expect([await fileBytes(orphan), await fileBytes(known)]).toEqual([undefined, text]);
    });
  });

  describe('attaching', () => {
    const attach = (
      ids: readonly string[],
      projectId: string,
      more: Partial<Parameters<FileRepository['attach']>[2]> = {},
    ) =>
      transaction(instance(DataSource), (tx) =>
        instance(FileRepository).attach(tx, ids, {
          ...{ projectId, accountId: owner.accountId, side: 'customer', to: 'message' },
          attachedToId: randomUUID(),
          ...more,
        }),
      );
    const invalid = { code: 'INVALID_INPUT' };

    test('takes only complete, unattached files of the same person, side and project, and either all of them or none', async () => {
      const projectId = await newProject();
      const upload = async (actor: Actor = owner, options = {}) =>
        (await uploads.upload(actor, projectId, text, options))._id;
      const [one, two] = [await upload(), await upload()];
      const unfinished = await uploads.begin(owner, projectId, 1);
      const notAttachable = [
        await upload(member),
        await upload(staff, { asStaff: true }),
        (await uploads.upload(owner, await newProject(), text))._id,
        unfinished,
        randomUUID(),
      ];
      for (const id of notAttachable)
        await expect(attach([one, id], projectId)).rejects.toMatchObject(invalid);
      await expect(attach([one], projectId, { side: 'staff' })).rejects.toMatchObject(invalid);
      const attachedToId = randomUUID();
      await attach([one, two], projectId, { attachedToId });
      await expect(attach([two], projectId)).rejects.toMatchObject(invalid);
      const views = await instance(FileRepository).viewsOf(instance(DataSource).manager, [attachedToId]);
      expect(views.get(attachedToId)!.map(({ _id }) => _id)).toEqual([one, two]);
    });

    test('refuses to put a file that was uploaded for a note into a message or a deliverable', async () => {
      const projectId = await newProject();
      const hidden = (await uploads.upload(staff, projectId, text, { asStaff: true, hidden: true }))._id;
      const as = { accountId: staff.accountId, side: 'staff' as const };
      for (const to of ['message', 'deliverable'] as const)
        await expect(attach([hidden], projectId, { ...as, to })).rejects.toMatchObject(invalid);
      await attach([hidden], projectId, { ...as, to: 'note' });
    });

    test('gives a file to only one of two messages that are sent at the same time', async () => {
      const projectId = await newProject();
      const { _id } = await uploads.upload(owner, projectId, text);
      const outcomes = await Promise.allSettled([attach([_id], projectId), attach([_id], projectId)]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    });

    const attachExactly = ({ accountId }: typeof owner, projectId: string, wanted: string[]) =>
      transaction(instance(DataSource), (tx) =>
        instance(FileRepository).attachExactly(
          tx,
          wanted,
          { projectId, accountId, side: 'customer', to: 'brief', attachedToId: projectId },
          new Date(Date.now() + dayMs),
        ),
      );
    const attachedIds = async (projectId: string) => {
      const views = await instance(FileRepository).viewsOf(instance(DataSource).manager, [projectId]);
      return (views.get(projectId) ?? []).map(({ _id }) => _id).sort();
    };

    test('to the draft of a brief keeps exactly the files that the draft names', async () => {
      const projectId = await newProject();
      const ids = await Promise.all(
        [1, 2, 3].map(async () => (await uploads.upload(owner, projectId, text))._id),
      );
      const [first, second, third] = ids as [string, string, string];
      for (const wanted of [[first, second], [second, third], [first]]) {
        await attachExactly(owner, projectId, wanted);
        expect(await attachedIds(projectId)).toEqual(wanted.toSorted());
      }
    });

    test('to a brief may bring back a file that a colleague has uploaded and removed', async () => {
      const projectId = await newProject();
      const ofMember = (await uploads.upload(member, projectId, text))._id;
      await attachExactly(member, projectId, [ofMember]);
      await attachExactly(member, projectId, []);
      expect(await attachedIds(projectId)).toEqual([]);
      await attachExactly(owner, projectId, [ofMember]);
      expect(await attachedIds(projectId)).toEqual([ofMember]);
    });

    test('lasts until the message is deleted; then its files cannot be read, and their bytes are removed, but their rows stay', async () => {
      const { _id } = await uploads.upload(owner, await newProject(), text);
      const attachedToId = await uploads.attach([_id], 'message');
      await uploads.untilExamined(_id);
      await transaction(instance(DataSource), (tx) =>
        instance(FileRepository).discardAttachedTo(tx, [attachedToId]),
      );
      await expect(uploads.get(owner, _id)).rejects.toMatchObject(notFound);
      expect(
        (await instance(FileRepository).viewsOf(instance(DataSource).manager, [attachedToId])).size,
      ).toBe(0);
      await instance(FileExpiryWorker).removeExpired();
      expect(await fileBytes(_id)).toBeUndefined();
      const { rows } = await projects.sql.query('SELECT expires_at FROM project_files WHERE id = $1', [_id]);
      expect(rows).toEqual([{ expires_at: null }]);
    });
  });

  describe('who sees a file', () => {
    const seenBy = async (id: string) => {
      const everyone = { owner, member, billing, outsider, staff };
      const seen: string[] = [];
      for (const [name, actor] of Object.entries(everyone)) {
        const outcome = await uploads.get(actor, id).then(
          () => name,
          (error: { code: string }) => error.code,
        );
        if (outcome === name) seen.push(name);
        else expect(outcome).toBe('NOT_FOUND');
      }
      return seen;
    };

    test('before it is sent, only the person who uploaded it; before it is finished, nobody', async () => {
      const projectId = await newProject();
      expect(await seenBy((await uploads.upload(member, projectId, text))._id)).toEqual(['member']);
      expect(await seenBy((await uploads.upload(staff, projectId, text, { asStaff: true }))._id)).toEqual([
        'staff',
      ]);
      expect(await seenBy(await uploads.begin(owner, projectId, 5))).toEqual([]);
    });

    test('once it is sent, the owner, members and staff; a file of a note, only staff', async () => {
      const projectId = await newProject();
      const upload = async (actor: Actor, options = {}) =>
        (await uploads.upload(actor, projectId, text, options))._id;
      const message = await upload(owner);
      const deliverable = await upload(staff, { asStaff: true });
      const note = await upload(staff, { asStaff: true, hidden: true });
      await uploads.attach([message], 'message');
      await uploads.attach([deliverable], 'deliverable');
      await uploads.attach([note], 'note');
      for (const id of [message, deliverable]) expect(await seenBy(id)).toEqual(['owner', 'member', 'staff']);
      expect(await seenBy(note)).toEqual(['staff']);

      const listed = async (actor: Actor, contract: 'listProjectFiles' | 'listStaffProjectFiles') =>
        (await projects.client.call(projectFileContract[contract], { id: projectId }, { actor })).map(
          ({ _id }) => _id,
        );
      expect(await listed(member, 'listProjectFiles')).toEqual([deliverable, message]);
      expect(await listed(staff, 'listStaffProjectFiles')).toEqual([note, deliverable, message]);
      for (const actor of [billing, outsider, staff])
        await expect(listed(actor, 'listProjectFiles')).rejects.toMatchObject(notFound);
    });

    test('nobody with a guessed id', async () => {
      for (const id of [randomUUID(), 'x', '../../etc/passwd', '']) expect(await seenBy(id)).toEqual([]);
    });
  });

  describe('deleting', () => {
    const remove = (actor: Actor, id: string) =>
      projects.client.call(projectFileContract.deleteProjectFile, { id }, { actor });

    test('is allowed only to the person who uploaded the file, and only until it is sent', async () => {
      const projectId = await newProject();
      const { _id: unsent } = await uploads.upload(member, projectId, text);
      for (const actor of [owner, outsider, staff])
        await expect(remove(actor, unsent)).rejects.toMatchObject(notFound);
      expect(await remove(member, unsent)).toEqual({ _id: unsent });
      await expect(remove(member, unsent)).rejects.toMatchObject(notFound);
      for (const to of ['message', 'deliverable', 'brief'] as const) {
        const { _id: sent } = await uploads.upload(member, projectId, text);
        await uploads.attach([sent], to);
        for (const actor of [member, owner])
          await expect(remove(actor, sent)).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
        await expect(remove(outsider, sent)).rejects.toMatchObject(notFound);
      }
    });

    test('is refused for a file that the draft of a brief names', async () => {
      const projectId = await newProject();
      await projects.giveBrief(projectId);
      const { _id } = await uploads.upload(owner, projectId, text);
      await projects.sql.query(
        `UPDATE project_files SET attached_to = 'brief', attached_id = $2, expires_at = NULL WHERE id = $1`,
        [_id, projectId],
      );
      await expect(remove(owner, _id)).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
    });
  });

  describe('a preview', () => {
    async function previewOf(body: Buffer) {
      const { _id } = await uploads.upload(owner, await newProject(), body);
      const { preview: state } = await uploads.untilExamined(_id);
      const picture = await uploads.storage.previews.findBytes(_id, projectPreviewName);
      expect(picture === undefined).toBe(state === 'none');
      return picture && { picture, ...(await sharp(picture).metadata()) };
    }

    test('of a picture fits in 640 × 640 pixels, upright and without its metadata', async () => {
      const photo = await sharp(await noisePng(1600, 800))
        .jpeg()
        .withMetadata({ orientation: 6, exif: { IFD0: { Copyright: 'Somebody' } } })
        .toBuffer();
      const preview = await previewOf(photo);
      expect([preview!.format, preview!.width, preview!.height, preview!.exif]).toEqual([
        'webp',
        320,
        640,
        undefined,
      ]);
    });

    test('of a PDF with one page shows that page', async () => {
      const preview = await previewOf(redPdf(300, 200));
      expect([preview!.format, preview!.width, preview!.height]).toEqual(['webp', 640, 427]);
      const { data } = await sharp(preview!.picture)
        .resize(1, 1)
        .removeAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      const [red, green, blue] = data;
      expect(red).toBeGreaterThan(240);
      expect(Math.max(green!, blue!)).toBeLessThan(15);
    });

    test.each(
      sampleEvery(3, [
        ['a truncated picture', async () => (await noisePng(200, 200)).subarray(0, 9_000)],
        ['a picture that claims to be huge', hugePng],
        [
          'something that only claims to be a PDF',
          async () => Buffer.from('%PDF-1.7\n<script>alert(1)</script>'),
        ],
        ['an encrypted PDF', async () => encryptedPdf()],
        ['a PDF whose objects refer to themselves', async () => loopingPdf()],
        [
          'random bytes after the signature of a PNG',
          async () => Buffer.concat([pngSignature, randomBytes(5_000)]),
        ],
        ['an SVG', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
      ] as const),
    )('of %s does not exist, and the service keeps running', async (_what, makeFile) => {
      expect(await previewOf(await makeFile())).toBeUndefined();
      expect(await previewOf(await noisePng(10, 10))).toMatchObject({ width: 10, height: 10 });
    });

    fullTest(
      'of a PDF that inflates to hundreds of megabytes does not exist, and takes little memory of the service',
      async () => {
        const bomb = await bombPdf();
        const peakBytes = () => process.resourceUsage().maxRSS * 1024;
        // The peak of an earlier test may be above the limit of this test. Then it must not rise.
        const permitted = Math.max(peakBytes(), process.memoryUsage.rss() + 200_000_000);
        expect(await previewOf(bomb)).toBeUndefined();
        expect(peakBytes()).toBeLessThanOrEqual(permitted);
      },
    );
  });
});

const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** Its header says 60,000 × 60,000 pixels. */
async function hugePng(): Promise<Buffer> {
  const png = Buffer.from(await noisePng(10, 10));
  png.writeUInt32BE(60_000, 16);
  png.writeUInt32BE(60_000, 20);
  return png;
}

function encryptedPdf(): Buffer {
  const dictionary = `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${'00'.repeat(32)}> /U <${'11'.repeat(32)}> /P -4 >> /ID [<00> <00>]`;
  return Buffer.from(
    redPdf().toString('latin1').replace('/Root 1 0 R', `/Root 1 0 R ${dictionary}`),
    'latin1',
  );
}

function loopingPdf(): Buffer {
  return Buffer.from(
    redPdf()
      .toString('latin1')
      .replace('/Kids [3 0 R]', '/Kids [2 0 R]')
      .replace('/Type /Page ', '/Type /Pages '),
    'latin1',
  );
}

/** A page whose drawing inflates from a kilobyte to 400 MiB; PDFium needs twice as much memory for it. */
async function bombPdf(): Promise<Buffer> {
  const spaces = Buffer.alloc(1024 * 1024, ' ');
  const inflated = Readable.from(Array.from({ length: 400 }, () => spaces));
  const drawing = deflateSync(await buffer(inflated.pipe(createDeflate({ level: 9 }))));
  const parts = [
    '%PDF-1.5\n',
    '1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n',
    '2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n',
    '3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R >>\nendobj\n',
    `4 0 obj\n<< /Length ${drawing.length} /Filter [/FlateDecode /FlateDecode] >>\nstream\n${drawing.toString('latin1')}\nendstream\nendobj\n`,
    'trailer\n<< /Root 1 0 R >>\n%%EOF\n',
  ];
  return Buffer.from(parts.join(''), 'latin1');
}

describe('with few connections to the database', () => {
  beforeAll(async () => {
    projects = await startProjects({ DATABASE_POOL_SIZE: '2' });
    uploads = new FileUploads(projects);
  });
  afterAll(() => projects?.stop());

  test('many simultaneous requests that finish, cancel and delete uploads are all answered', async () => {
    const projectId = await newProject();
    const finished: string[] = [];
    const unfinished: string[] = [];
    const cancelled: string[] = [];
    for (let n = 0; n < 8; n += 1) {
      finished.push((await uploads.upload(owner, projectId, text))._id);
      cancelled.push(await uploads.begin(owner, projectId, text.length));
      const id = await uploads.begin(owner, projectId, text.length);
      await uploads.store(id, text);
      unfinished.push(id);
    }
    const ask = (contract: 'deleteProjectFile' | 'cancelUpload' | 'finishUpload') => (id: string) =>
      projects.client.call(projectFileContract[contract], { id }, { actor: owner });
    const unknown = Array.from({ length: 20 }, () => randomUUID());
    const [done, refused] = await Promise.all([
      Promise.all([
        ...finished.map(ask('deleteProjectFile')),
        ...unfinished.map(ask('finishUpload')),
        ...cancelled.map(ask('cancelUpload')),
      ]),
      Promise.allSettled(unknown.map(ask('deleteProjectFile'))),
    ]);
    expect(done).toHaveLength(24);
    for (const outcome of refused) expect(outcome).toMatchObject({ status: 'rejected', reason: notFound });
  });
});

describe('with a virus scanner', () => {
  let clamd: ClamdStandIn;
  beforeAll(async () => {
    clamd = await ClamdStandIn.start();
    projects = await startProjects({ CLAMD_URL: clamd.url });
    uploads = new FileUploads(projects);
    await addColleagues();
  });
  beforeEach(() => {
    clamd.fault = undefined;
  });
  afterAll(async () => {
    await projects?.stop();
    await clamd?.stop();
  });

  test('a file is held back until it is clean', async () => {
    clamd.fault = 'outOfMemory';
    const file = await uploads.upload(owner, await newProject(), await noisePng(20, 20));
    expect([file.state, file.preview]).toEqual(['scanning', 'none']);
    expect((await uploads.get(owner, file._id)).state).toBe('scanning');
    clamd.fault = undefined;
    expect(await uploads.untilExamined(file._id)).toMatchObject({ state: 'ready', preview: 'ready' });
    expect(await uploads.get(owner, file._id)).toMatchObject({ state: 'ready', preview: 'ready' });
  });

  test('a file with a virus is never handed out, but both sides see that it was there', async () => {
    const projectId = await newProject();
    const { _id } = await uploads.upload(owner, projectId, Buffer.from(`x${eicar}`));
    await uploads.attach([_id], 'message');
    expect(await uploads.untilExamined(_id)).toMatchObject({ state: 'infected', preview: 'none' });
    for (const actor of [owner, member, staff])
      await expect(uploads.get(actor, _id)).rejects.toMatchObject(notFound);
    const asked = { id: projectId };
    for (const files of [
      await projects.client.call(projectFileContract.listStaffProjectFiles, asked, { actor: staff }),
      await projects.client.call(projectFileContract.listProjectFiles, asked, { actor: owner }),
    ])
      expect(files).toMatchObject([{ _id, state: 'infected' }]);
  });

  test.each([
    ['clean', noisePng(20, 20), { state: 'ready', preview: 'ready' }],
    ['infected', Promise.resolve(Buffer.from(eicar)), { state: 'infected', preview: 'none' }],
  ])('an open thread learns that a file which was sent before its scan is %s', async (_what, body, state) => {
    clamd.fault = 'outOfMemory';
    const id = await newProject();
    const { _id } = await uploads.upload(owner, id, await body);
    await projects.client.call(threadContract.postMessage, { id, files: [_id] }, { actor: owner });
    const read = (after?: number) =>
      projects.client.call(threadContract.getThread, { id, ...(after && { after }) }, { actor: owner });
    const before = await read();
    expect(before.entries).toMatchObject([{ files: [{ _id, state: 'scanning' }] }]);
    clamd.fault = undefined;
    await eventually(async () =>
      expect((await read(before.change)).entries).toMatchObject([{ files: [{ _id, ...state }] }]),
    );
  });

  test('a file with a virus cannot be sent', async () => {
    const projectId = await newProject();
    const { _id } = await uploads.upload(owner, projectId, Buffer.from(eicar));
    await uploads.untilExamined(_id);
    const attached = transaction(instance(DataSource), (tx) =>
      instance(FileRepository).attach(tx, [_id], {
        ...{ projectId, accountId: owner.accountId, side: 'customer', to: 'message' },
        attachedToId: randomUUID(),
      }),
    );
    await expect(attached).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test.each(sampleEvery(3, ['closes', 'tooLarge', 'garbage'] as const))(
    'a file stays held back while the scanner fails (%s), and is scanned again',
    async (fault) => {
      clamd.fault = fault;
      const { _id } = await uploads.upload(owner, await newProject(), text);
      const tries = async () =>
        (
          await projects.sql.query<{ tries: number }>('SELECT tries FROM file_tasks WHERE file_id = $1', [
            _id,
          ])
        ).rows[0]?.tries ?? 0;
      await eventually(async () => expect(await tries()).toBeGreaterThan(1));
      expect((await uploads.get(owner, _id)).state).toBe('scanning');
      clamd.fault = undefined;
      expect((await uploads.untilExamined(_id)).state).toBe('ready');
    },
  );

  test('a file stays held back while the scanner is down', async () => {
    await clamd.stop();
    const { _id } = await uploads.upload(owner, await newProject(), text);
    await eventually(async () => {
      const { rows } = await projects.sql.query('SELECT tries FROM file_tasks WHERE file_id = $1', [_id]);
      expect(rows[0]).toMatchObject({ tries: 2 });
    });
    expect((await uploads.get(owner, _id)).state).toBe('scanning');
    await clamd.resume();
    expect((await uploads.untilExamined(_id)).state).toBe('ready');
  });
});

describe('with storage in a bucket', () => {
  let s3: S3StandIn;
  beforeAll(async () => {
    s3 = await S3StandIn.start('files', credentials, { pageSize: 2 });
    const settings = {
      IMAGES_S3_URL: `${s3.url}/site`,
      IMAGES_S3_REGION: credentials.region,
      IMAGES_S3_ACCESS_KEY_ID: credentials.accessKeyId,
      IMAGES_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    };
    projects = await startProjects(settings);
    uploads = new FileUploads(projects, { IMAGES_DIR: projects.filesDir, ...settings });
  });
  afterAll(async () => {
    await projects?.stop();
    await s3?.stop();
  });

  test('an upload of several parts becomes a private file, and its parts are gone', async () => {
    const body = Buffer.concat([await noisePng(300, 300), randomBytes(18_000_000)]);
    const file = await uploads.upload(owner, await newProject(), body);
    expect(file).toMatchObject({ type: 'image/png', bytes: body.length, state: 'ready' });
    expect(await uploads.untilExamined(file._id)).toMatchObject({
      preview: 'ready',
      sha256: createHash('sha256').update(body).digest('hex'),
    });
    const keys = [...s3.objects].filter(([key]) => key.includes(file._id));
    expect(keys.map(([key, { cacheControl }]) => [key, cacheControl]).sort()).toEqual([
      [`site/private/project-files/${file._id}/file`, 'private, no-store'],
      [`site/private/project-previews/${file._id}/preview.webp`, 'private, no-store'],
    ]);
    expect(s3.uploads.size).toBe(0);
    expect((await fileBytes(file._id))!.equals(body)).toBe(true);
  });

  test('a cancelled upload leaves nothing behind', async () => {
    const id = await uploads.begin(owner, await newProject(), 9_000_000);
    const keys = () =>
      [...s3.objects.keys(), ...[...s3.uploads.values()].map(({ key }) => key)].filter((key) =>
        key.includes(id),
      );
    // Not all bytes have arrived: the multipart upload is still open.
    const store = await uploads.storage.uploads.tusStore();
    const key = uploads.storage.uploads.keyOf(id);
    await store.create(new Upload({ id: key, size: 9_000_000, offset: 0 }));
    await store.write(Readable.from([randomBytes(8_500_000)]), key, 0);
    expect(keys()).toContain(`site/private/project-uploads/${id}`);
    await projects.client.call(projectFileContract.cancelUpload, { id }, { actor: owner });
    await eventually(() => expect(keys()).toEqual([]));
  });

  test('uploads that have no row are removed, even those without an `.info` object, and others stay', async () => {
    const projectId = await newProject();
    const begin = () => uploads.begin(owner, projectId, 9_000_000);
    const [known, orphan, partsOnly] = [await begin(), await begin(), await begin()];
    for (const id of [known, orphan, partsOnly]) {
      const store = await uploads.storage.uploads.tusStore();
      await store.create(new Upload({ id: uploads.storage.uploads.keyOf(id), size: 9_000_000, offset: 0 }));
    }
    // A gateway that is killed after starting a multipart upload, but before storing its id, leaves no `.info` object.
    s3.objects.delete(`site/private/project-uploads/${partsOnly}.info`);
    await projects.sql.query('DELETE FROM project_files WHERE id = ANY ($1::uuid[])', [[orphan, partsOnly]]);
    const remaining = () =>
      [known, orphan, partsOnly].filter(
        (id) =>
          [...s3.objects.keys()].some((key) => key.includes(id)) ||
          [...s3.uploads.values()].some(({ key }) => key.includes(id)),
      );
    await instance(FileExpiryWorker).removeOrphans();
    expect(remaining()).toEqual([known, orphan, partsOnly]);
    await instance(FileExpiryWorker).removeOrphans(new Date(Date.now() + 1000));
    expect(remaining()).toEqual([known]);
  });

  test('no file is stored on this machine', async () => {
    expect(await readdir(projects.filesDir)).toEqual([]);
  });
});
