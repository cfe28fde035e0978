import { MIMEType } from 'node:util';
import { DomainError } from '#libs/contracts';

/** A body of five megabytes could have a hundred thousand parts, and each takes memory. */
const maxParts = 10;

const formType = /^multipart\/form-data\b/i;
const unusable = (message: string) => DomainError.invalid([{ field: 'file', message }]);

/** The request's body as it is, or the one file of a form (RFC 7578). Throws INVALID_INPUT with the field `file`. */
export async function extractUploadedFile(body: Buffer, contentType: string): Promise<Buffer> {
  if (!formType.test(contentType)) return body;
  if (countParts(body, contentType) > maxParts)
    throw unusable(`must be sent in a form with at most ${maxParts} parts`);
  const form = await new Response(new Uint8Array(body), { headers: { 'Content-Type': contentType } })
    .formData()
    .catch(() => {
      throw unusable('must be sent as a complete form');
    });
  const [file, ...others] = [...form.values()].filter((value) => typeof value !== 'string');
  if (!file || others.length > 0) throw unusable('must be exactly one file');
  return Buffer.from(await file.arrayBuffer());
}

function countParts(body: Buffer, contentType: string): number {
  const delimiter = `--${boundaryOf(contentType)}`;
  let parts = -1; // The last delimiter ends the form.
  let at = body.indexOf(delimiter);
  while (at >= 0 && parts <= maxParts) {
    parts += 1;
    at = body.indexOf(delimiter, at + delimiter.length);
  }
  return parts;
}

function boundaryOf(contentType: string): string {
  let boundary: string | null;
  try {
    boundary = new MIMEType(contentType).params.get('boundary');
  } catch {
    boundary = null;
  }
  if (!boundary) throw unusable('must be sent as a complete form');
  return boundary;
}
