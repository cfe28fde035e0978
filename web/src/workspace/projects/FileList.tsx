import './projects.css';
import { type MouseEvent, useEffect, useState } from 'react';
import type { ProjectFile } from '#libs/contracts';
import { callApi, callSignal, type Problem, unreachable } from '../../lib/api.js';
import { FormProblem } from '../../components/FormProblem.js';
import { useDownload } from '../download.js';
import { When } from '../When.js';
import { blockedReason, fileKind, fileSize } from './words.js';

interface FileListProps {
  files: readonly ProjectFile[];
  label: string;
  detailed?: boolean;
}

export function FileList({ files, label, detailed = false }: FileListProps) {
  const { download, problem } = useDownload(findRefusal);
  if (files.length === 0) return null;
  return (
    <>
      <ul className={detailed ? 'files files--detailed' : 'files'} aria-label={label}>
        {files.map((file) => (
          <li key={file._id}>
            <File file={file} detailed={detailed} download={(href) => void download(href)} />
          </li>
        ))}
      </ul>
      <FormProblem problem={problem} />
    </>
  );
}

/** A list may be out of date, and the screen could not say why a download was refused. Does not notice that the stored content is missing. */
async function findRefusal(href: string): Promise<Problem | undefined> {
  try {
    const { ok, status } = await fetch(href, { method: 'HEAD', signal: callSignal() });
    if (ok) return undefined;
    const sentence =
      status === 404
        ? 'This file is no longer available.'
        : 'This file can’t be downloaded at the moment. Try again later.';
    return { status, sentence, fields: [] };
  } catch {
    return unreachable;
  }
}

interface FileProps {
  file: ProjectFile;
  detailed: boolean;
  download(href: string): void;
}

function File({ file, detailed, download }: FileProps) {
  const { _id, name, bytes, uploadedBy, createdAt } = file;
  const whyBlocked = blockedReason(file);
  const href = `/project-file/${_id}`;
  const content = (
    <>
      <Picture key={file.preview} file={file} />
      <span className="file__what">
        <span className="file__name">{name}</span>
        <span className="file__note">
          {whyBlocked ?? fileSize(bytes)}
          {detailed && (
            <>
              {' · '}
              {uploadedBy}, <When at={createdAt} />
            </>
          )}
        </span>
      </span>
    </>
  );
  if (whyBlocked) return <span className="file">{content}</span>;
  return (
    <a
      className="file"
      href={href}
      download={name}
      onClick={(event: MouseEvent) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        download(href);
      }}
    >
      <span className="visually-hidden">Download </span>
      {content}
    </a>
  );
}

/** Delays before further attempts to load a preview, in ms. */
const retryDelays = [1_000, 2_000, 4_000, 8_000, 15_000];

/** The kind of file takes the place of a missing preview. */
function Picture({ file: { _id, name, state, preview } }: { file: ProjectFile }) {
  const [attempt, setAttempt] = useState(0);
  const [unavailable, setUnavailable] = useState(preview === 'rendering');
  const wait = retryDelays[attempt];
  useEffect(() => {
    if (!unavailable || wait === undefined) return;
    const timer = setTimeout(() => {
      // A call renews an expired session, which may be why the picture did not load.
      void callApi('GET /auth/me').then(() => {
        setAttempt((before) => before + 1);
        setUnavailable(false);
      });
    }, wait);
    return () => clearTimeout(timer);
  }, [unavailable, wait]);
  if (preview === 'none' || state !== 'ready' || unavailable)
    return (
      <span className="file-kind" aria-hidden="true">
        {fileKind(name)}
      </span>
    );
  return (
    <img
      className="file__picture"
      src={`/project-file/${_id}/preview${attempt > 0 ? `?attempt=${attempt}` : ''}`}
      alt=""
      loading="lazy"
      onError={() => setUnavailable(true)}
    />
  );
}
