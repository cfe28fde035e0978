import { validate as isUuid } from 'uuid';
import type { TusStore, UploadStorage } from './file-storage.js';
import { S3Bucket, type S3BucketOptions, valueOf } from './s3-bucket.js';

/** A copy within the bucket of the largest file may take this long, in milliseconds. */
const copyTimeoutMs = 45_000;
const partBytes = 8 * 1024 * 1024;

export interface S3UploadsOptions extends S3BucketOptions {
  /** The address of the area in which complete files are stored. */
  filesUrl: string;
}

/** Receives uploads as multipart uploads of a bucket. */
export class S3Uploads implements UploadStorage {
  private readonly bucket: S3Bucket;
  private readonly files: S3Bucket;
  private store: Promise<TusStore> | undefined;

  constructor(private readonly options: S3UploadsOptions) {
    this.bucket = new S3Bucket(options);
    this.files = new S3Bucket({ ...options, url: options.filesUrl });
  }

  tusStore(): Promise<TusStore> {
    return (this.store ??= this.openStore());
  }

  keyOf(id: string): string {
    if (!isUuid(id)) throw new Error('Uploads are stored under a UUID');
    return this.bucket.prefix + id;
  }

  async size(id: string): Promise<number | undefined> {
    const answer = await this.bucket.ask('HEAD', `/${id}`);
    return answer && Number(answer.headers.get('content-length'));
  }

  async finish(id: string, fileName: string): Promise<void> {
    if (await this.files.ask('HEAD', `/${id}/${fileName}`)) return;
    const answer = await this.files.ask('PUT', `/${id}/${fileName}`, {
      headers: {
        'x-amz-copy-source': encodeURI(`/${this.bucket.place.bucket}/${this.keyOf(id)}`),
        'x-amz-metadata-directive': 'REPLACE',
        'Content-Type': 'application/octet-stream',
        'Cache-Control': 'private, no-store',
      },
      timeoutMs: copyTimeoutMs,
    });
    // S3 answers 200 before it copies, and reports a failure in the body.
    const said = (await answer?.text()) ?? '';
    if (!said.includes('<CopyObjectResult'))
      throw new Error(`S3 has not copied an upload: ${valueOf('Code', said) ?? ''}`);
  }

  async remove(id: string): Promise<void> {
    const info = await this.bucket.ask('HEAD', `/${id}.info`);
    const uploadId = info?.headers.get('x-amz-meta-upload-id');
    if (uploadId) await this.bucket.ask('DELETE', `/${id}?uploadId=${encodeURIComponent(uploadId)}`);
    // The information goes last, so that this can be repeated.
    for (const key of [id, `${id}.part`, `${id}.info`]) await this.bucket.ask('DELETE', `/${key}`);
  }

  /** Loaded when it is needed, because the SDK is large. */
  private async openStore(): Promise<TusStore> {
    const { S3Store } = await import('@tus/s3-store');
    const { endpoint, bucket, isInPath } = this.bucket.place;
    const { region, accessKeyId, secretAccessKey } = this.options;
    return new S3Store({
      partSize: partBytes,
      s3ClientConfig: {
        ...{ bucket, region, endpoint, forcePathStyle: isInPath },
        credentials: { accessKeyId, secretAccessKey },
        // Not every service knows the newer checksums.
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
        requestHandler: { connectionTimeout: 5_000, requestTimeout: 60_000 },
      },
    });
  }
}
