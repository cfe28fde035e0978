import './projects.css';
import type { ReactNode } from 'react';
import type { Brief, BriefQuestion } from '#libs/contracts';
import { addressKind } from '../../lib/address.js';
import { isDay } from '../days.js';
import { formatDay } from '../formats.js';
import { listOf, textOf } from './BriefFields.js';
import { FileList } from './FileList.js';

export function BriefAnswers({ brief }: { brief: Pick<Brief, 'questions' | 'answers' | 'files'> }) {
  return (
    <dl className="brief-answers">
      {brief.questions.map((question) => (
        <div key={question.id}>
          <dt>{question.label}</dt>
          <dd>{answerOf(question, brief) ?? <span className="brief-answers__none">Not answered</span>}</dd>
        </div>
      ))}
    </dl>
  );
}

function answerOf(
  { id, kind, label }: BriefQuestion,
  { answers, files }: Pick<Brief, 'answers' | 'files'>,
): ReactNode {
  const answer = answers[id];
  const text = textOf(answer);
  const list = listOf(answer);
  if (kind === 'file') {
    const answerFiles = files.filter(({ _id }) => list.includes(_id));
    return answerFiles.length > 0 ? <FileList files={answerFiles} label={label} /> : undefined;
  }
  if (list.length > 0)
    return (
      <ul>
        {list.map((option) => (
          <li key={option}>{option}</li>
        ))}
      </ul>
    );
  if (text === '') return undefined;
  // A draft may contain text that is not a date.
  if (kind === 'date') return isDay(text) ? formatDay(text) : text;
  if (kind === 'url' && addressKind(text) === 'elsewhere')
    return (
      <a href={text} target="_blank" rel="noopener noreferrer nofollow">
        {text}
      </a>
    );
  return (
    <span dir="auto" className="brief-answers__text">
      {text}
    </span>
  );
}
