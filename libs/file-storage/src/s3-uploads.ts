import { validate as isUuid } from 'uuid';
import type { TusStore, UploadStorage } from './file-storage.js';
import { S3Bucket, type S3BucketOptions, elementText } from './s3-bucket.js';

/** Long enough to copy the largest file within the bucket. */
const copyTimeoutMs = 45_000;
/**
 * The smallest part that buckets accept. Each part is a temporary file until the bucket has it. `maxPartsAtOnce` of them fit into the gateway's
 * `/tmp`.
 */
const partBytes = 5 * 1024 * 1024;
const maxPartsAtOnce = 40;

export interface S3UploadsOptions extends S3BucketOptions {
  /** The area of the complete files; `area` is that of the uploads. */
  filesArea: string;
}

export class S3Uploads implements UploadStorage {
  private readonly uploads: S3Bucket;
  private readonly files: S3Bucket;
  private store: Promise<TusStore> | undefined;

  constructor(private readonly options: S3UploadsOptions) {
    this.uploads = new S3Bucket(options);
    this.files = new S3Bucket({ ...options, area: options.filesArea });
  }

  tusStore(): Promise<TusStore> {
    return (this.store ??= this.openStore());
  }

  keyOf(id: string): string {
    if (!isUuid(id)) throw new Error('Uploads are stored under a UUID');
    return this.uploads.prefix + id;
  }

  async findSize(id: string): Promise<number | undefined> {
    const answer = await this.uploads.request('HEAD', `/${id}`);
    if (answer) return Number(answer.headers.get('content-length'));
    // Throws if the whole bucket is missing.
    await this.uploads.listObjects(id).next();
    return undefined;
  }

  async finish(id: string, fileName: string): Promise<void> {
    if (await this.files.request('HEAD', `/${id}/${fileName}`)) return;
    const answer = await this.files.request('PUT', `/${id}/${fileName}`, {
      headers: {
        'x-amz-copy-source': encodeURI(`/${this.uploads.bucketAddress.bucket}/${this.keyOf(id)}`),
        'x-amz-metadata-directive': 'REPLACE',
        'Content-Type': 'application/octet-stream',
        'Cache-Control': 'private, no-store',
      },
      timeoutMs: copyTimeoutMs,
    });
    // S3 may answer 200 before it has copied everything, and report a later failure in the body.
    const answerBody = (await answer?.text()) ?? '';
    if (!answerBody.includes('<CopyObjectResult'))
      throw new Error(`S3 has not copied an upload: ${elementText('Code', answerBody) ?? ''}`);
  }

  async remove(id: string): Promise<void> {
    const info = await this.uploads.request('HEAD', `/${id}.info`);
    const uploadId = info?.headers.get('x-amz-meta-upload-id');
    if (uploadId) await this.abort(id, uploadId);
    // `.info` is deleted last, because it names the multipart upload: an interrupted removal can be repeated.
    for (const key of [id, `${id}.part`, `${id}.info`]) await this.uploads.request('DELETE', `/${key}`);
  }

  async *idsStoredBefore(moment: Date): AsyncIterable<string> {
    for await (const { key, modified } of this.uploads.listObjects('')) {
      const id = key.replace(/\.(?:part|info)$/, '');
      if (isUuid(id) && modified < moment) yield id;
    }
    for await (const { key, begun } of this.uploads.listPartialUploads(''))
      if (isUuid(key) && begun < moment) yield key;
  }

  /** A gateway may be killed after it has begun a multipart upload and before it has stored `.info`. Then `remove` does not find the upload. */
  async removeOrphan(id: string): Promise<void> {
    for await (const { key, uploadId } of this.uploads.listPartialUploads(id))
      if (key === id) await this.abort(id, uploadId);
    await this.remove(id);
  }

  private async abort(id: string, uploadId: string): Promise<void> {
    await this.uploads.request('DELETE', `/${id}?uploadId=${encodeURIComponent(uploadId)}`);
  }

  /** The SDK is large, so it is loaded only when it is needed. */
  private async openStore(): Promise<TusStore> {
    const { S3Store } = await import('@tus/s3-store');
    const { endpoint, bucket, isInPath } = this.uploads.bucketAddress;
    const { region, accessKeyId, secretAccessKey } = this.options;
    return new S3Store({
      partSize: partBytes,
      maxConcurrentPartUploads: maxPartsAtOnce,
      s3ClientConfig: {
        ...{ bucket, region, endpoint, forcePathStyle: isInPath },
        credentials: { accessKeyId, secretAccessKey },
        // Not every S3-compatible storage knows the newer checksums.
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
        requestHandler: { connectionTimeout: 5_000, requestTimeout: 60_000 },
      },
    });
  }
}
