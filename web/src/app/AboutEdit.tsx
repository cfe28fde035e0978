import { useParams } from 'react-router-dom';
import { Component as AboutEditScreen } from '../features/account/admin-unbuilt.route.js';
import { isRecordId } from '../lib/record-id.js';
import { Component as NotFound } from './NotFound.js';

export function Component() {
  const { id } = useParams();
  return isRecordId(id) ? <AboutEditScreen /> : <NotFound />;
}
