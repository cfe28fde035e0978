import { useDownload } from './download.js';

interface ExportLinkProps {
  /** The API's address, with the filter of the list. */
  href: string;
  /** What is exported: 'orders'. */
  what: string;
}

/** Downloads everything that matches the filter, as a CSV file. */
export function ExportLink({ href, what }: ExportLinkProps) {
  const { download, problem } = useDownload();
  return (
    <>
      <a
        className="button button--plain"
        href={href}
        download
        onClick={(event) => {
          event.preventDefault();
          void download(href);
        }}
      >
        Export CSV<span className="visually-hidden"> of {what}</span>
      </a>
      {problem && <span role="alert">{problem.sentence}</span>}
    </>
  );
}
