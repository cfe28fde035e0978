import { type MouseEvent, useState } from 'react';
import { callApi, type Problem } from '../lib/api.js';

interface ExportLinkProps {
  /** Of the API, with the filter of the list. */
  href: string;
  /** What is exported: 'orders'. */
  what: string;
}

/** Downloads a list as a file, all of what the filter lets through. */
export function ExportLink({ href, what }: ExportLinkProps) {
  const [problem, setProblem] = useState<Problem>();
  /** A download cannot sign in again or renew what ran out; so that is seen to first. */
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
