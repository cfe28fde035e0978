import { type MouseEvent, useState } from 'react';
import { callApi, type Problem } from '../lib/api.js';

interface ExportLinkProps {
  /** The API's address, with the filter of the list. */
  href: string;
  /** What is exported: 'orders'. */
  what: string;
}

/** Downloads everything that matches the filter as a file. */
export function ExportLink({ href, what }: ExportLinkProps) {
  const [problem, setProblem] = useState<Problem>();
  /** A download cannot renew the session or ask to sign in, so that is done first. */
  async function download(event: MouseEvent<HTMLAnchorElement>): Promise<void> {
    event.preventDefault();
    const answer = await callApi('GET /auth/me');
    setProblem(answer.ok ? undefined : answer.problem);
    if (answer.ok) location.assign(href);
  }
  return (
    <>
      <a className="button button--plain" href={href} download onClick={(event) => void download(event)}>
        Export CSV<span className="visually-hidden"> of {what}</span>
      </a>
      {problem && <span role="alert">{problem.sentence}</span>}
    </>
  );
}
