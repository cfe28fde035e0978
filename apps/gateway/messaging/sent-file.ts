import { DomainError } from '#libs/contracts';

const isForm = /^multipart\/form-data\b/i;
const unusable = (message: string) => DomainError.invalid([{ field: 'file', message }]);

/** The file itself: the body as it is, or the one file of a form (RFC 7578), as browsers and `curl -F` send it. INVALID_INPUT with the field `file`. */
export async function sentFile(body: Buffer, contentType: string): Promise<Buffer> {
  if (!isForm.test(contentType)) return body;
  const form = await new Response(new Uint8Array(body), { headers: { 'Content-Type': contentType } })
    .formData()
    .catch(() => {
      throw unusable('must be a whole form');
    });
  const [file, ...others] = [...form.values()].filter((value) => typeof value !== 'string');
  if (!file || others.length > 0) throw unusable('must be one file');
  return Buffer.from(await file.arrayBuffer());
}
