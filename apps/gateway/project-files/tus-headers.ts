import type { FastifyRequest } from 'fastify';
import { DomainError, fileLimits } from '#libs/contracts';
import { HttpFailure } from '../problem/problem.js';

export const tusVersion = '1.0.0';

export interface UploadRequest {
  projectId: string;
  /** A file of staff, not of the customer. */
  asStaff: boolean;
  /** Only staff may see the file, because it belongs to a note. */
  hidden: boolean;
  name: string;
  bytes: number;
}

/** Throws PROTOCOL_VERSION. */
export function requireTus({ headers }: Pick<FastifyRequest, 'headers'>): void {
  if (headers['tus-resumable'] !== tusVersion) throw new HttpFailure('PROTOCOL_VERSION');
}

/** Throws INVALID_INPUT. */
export function uploadRequestOf({ headers }: Pick<FastifyRequest, 'headers'>): UploadRequest {
  const bytes = wholeNumberOf(headers['upload-length']);
  if (bytes === undefined) throw invalid('Upload-Length', 'must be the size of the file in bytes');
  if (bytes === 0) throw invalid('file', 'is empty');
  if (bytes > fileLimits.bytes) throw invalid('file', 'is larger than 200 MB');
  const metadata = metadataOf(headers['upload-metadata']);
  const projectId = metadata.get('project') ?? '';
  if (projectId === '') throw invalid('project', 'is required');
  const side = metadata.get('side') ?? 'customer';
  if (side !== 'customer' && side !== 'staff') throw invalid('side', 'must be customer or staff');
  const asStaff = side === 'staff';
  const name = metadata.get('name') ?? '';
  return { projectId, asStaff, hidden: asStaff && metadata.get('hidden') === 'true', name, bytes };
}

/** Throws INVALID_INPUT. */
export function offsetOf({ headers }: Pick<FastifyRequest, 'headers'>): number {
  const offset = wholeNumberOf(headers['upload-offset']);
  if (offset === undefined) throw invalid('Upload-Offset', 'must be a number of bytes');
  return offset;
}

/**
 * The decoded values of `Upload-Metadata` (`key base64,key base64`). A value that is not Base64, or not UTF-8, is not refused, but becomes garbled
 * text. NUL characters are removed, because they cannot be stored. Throws INVALID_INPUT for a repeated key.
 */
function metadataOf(header: string | string[] | undefined): Map<string, string> {
  const metadata = new Map<string, string>();
  for (const pair of String(header ?? '').split(',')) {
    const [key = '', value = ''] = pair.trim().split(/ +/);
    if (key === '') continue;
    if (metadata.has(key)) throw invalid('Upload-Metadata', 'must name each key once');
    metadata.set(key, Buffer.from(value, 'base64').toString('utf8').replaceAll('\0', ''));
  }
  return metadata;
}

function wholeNumberOf(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}

function invalid(field: string, message: string): DomainError {
  return DomainError.invalid([{ field, message }]);
}
