import { expect, test } from '@jest/globals';
import { extractUploadedFile } from './uploaded-file.js';

/** A form with a file and this many other fields. */
async function encodeForm(fields: number): Promise<[Buffer, string]> {
  const form = new FormData();
  for (let i = 0; i < fields; i += 1) form.append('comment', String(i));
  form.append('file', new Blob(['a@example.com'], { type: 'text/csv' }), 'fair.csv');
  const response = new Response(form);
  return [Buffer.from(await response.arrayBuffer()), response.headers.get('content-type')!];
}

test.each([0, 9])('the file of a form is found among %i other fields', async (fields) => {
  expect(String(await extractUploadedFile(...(await encodeForm(fields))))).toBe('a@example.com');
});

test.each([10, 5000])('a form of more than ten parts is refused: %i fields and the file', async (fields) => {
  await expect(extractUploadedFile(...(await encodeForm(fields)))).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    details: { fields: [{ field: 'file', message: 'must be sent in a form with at most 10 parts' }] },
  });
});

test.each(['multipart/form-data', 'multipart/form-data; boundary=""', 'multipart/form-data; boundary'])(
  'a form without a boundary is refused: %s',
  async (contentType) => {
    await expect(extractUploadedFile(Buffer.from('--\r\n'), contentType)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  },
);

test('a body that is not a form is the file', async () => {
  expect(String(await extractUploadedFile(Buffer.from('a@example.com'), 'text/csv'))).toBe('a@example.com');
});
