import { useDownload } from './download.js';

interface ExportLinkProps {
  /** The export's address in the API; for a list, with its filter. */
  href: string;
  /** What is exported: 'orders'. */
  what: string;
}

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
