import './projects.css';
import { Fragment, type ReactNode } from 'react';
import { addressKind } from '../../lib/address.js';
import type { TextBlock, TextPiece } from '../../lib/formatted-text.js';
import { parseMessageText } from './message-text.js';

/** Headings become bold lines, so that they do not mix with the headings of the screen. */
export function MessageText({ text }: { text: string }) {
  return (
    <div className="message-text" dir="auto">
      {parseMessageText(text).map((block, index) => (
        <Block key={index} {...block} />
      ))}
    </div>
  );
}

function Block({ kind, lines, start }: TextBlock) {
  if (kind === 'list' || kind === 'numbered-list') {
    const List = kind === 'list' ? 'ul' : 'ol';
    return (
      <List {...(start !== undefined && { start })}>
        {lines.map((pieces, index) => (
          <li key={index}>
            <Pieces pieces={pieces} />
          </li>
        ))}
      </List>
    );
  }
  const content = lines.map((pieces, index) => (
    <Fragment key={index}>
      {index > 0 && <br />}
      <Pieces pieces={pieces} />
    </Fragment>
  ));
  return <p>{kind === 'paragraph' ? content : <strong>{content}</strong>}</p>;
}

function Pieces({ pieces }: { pieces: readonly TextPiece[] }): ReactNode {
  return pieces.map(({ text, style, address }, index) => {
    const Tag = style ?? Fragment;
    // Anyone in the project may have written the link, so only web, mail and phone addresses become links; a path on this site stays text. Links open
    // in a new tab, so that nothing typed is lost.
    return addressKind(address) === 'elsewhere' ? (
      <a key={index} href={address} target="_blank" rel="noopener noreferrer nofollow">
        {text}
      </a>
    ) : (
      <Tag key={index}>{text}</Tag>
    );
  });
}
