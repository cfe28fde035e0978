import { Empty } from './Empty.js';
import { focusContent } from './focus-content.js';

interface NoMatchesProps {
  /** What the list contains, in the plural: 'orders'. */
  what: string;
  showAll(): void;
}

export function NoMatches({ what, showAll }: NoMatchesProps) {
  return (
    <Empty
      title={`No matching ${what}`}
      action={
        <button
          className="button button--quiet"
          type="button"
          onClick={() => {
            showAll();
            focusContent();
          }}
        >
          Show all
        </button>
      }
    />
  );
}
