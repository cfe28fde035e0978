import { useParams } from 'react-router-dom';
import { isRecordId } from '../lib/record-id.js';
import { Component as ContentEdit } from './ContentEdit.js';
import { Component as NotFound } from './NotFound.js';

export function Component() {
  const { id } = useParams();
  return isRecordId(id) ? <ContentEdit /> : <NotFound />;
}
