import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { callApi, type Problem } from '../lib/api.js';
import { changeSession } from '../lib/session.js';

export function useSignOut(): { signOut(): Promise<void>; problem: Problem | undefined } {
  const navigate = useNavigate();
  const [problem, setProblem] = useState<Problem>();
  async function signOut(): Promise<void> {
    const answer = await callApi('POST /auth/logout');
    if (!answer.ok) return setProblem(answer.problem);
    // In this order: otherwise, a screen that needs an account would send the person to the login, with this address to return to.
    const left = navigate('/');
    changeSession({ status: 'signed-out' });
    await left;
  }
  return { signOut, problem };
}
