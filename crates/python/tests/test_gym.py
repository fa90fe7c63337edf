"""The environments pass PettingZoo's own tests."""

import warnings

import pytest
from pettingzoo.test import api_test, parallel_api_test, seed_test

import ludens
import ludens.gym


@pytest.mark.parametrize("name", ["breakthrough:5", "havannah:3", "gdl:connect4", "gdl:goofspiel", "gdl:ttcc4-3p"])
def test_agents_act_one_after_another(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(ludens.gym.env(name), num_cycles=60, verbose_progress=False)


@pytest.mark.parametrize("name", ["gdl:goofspiel", "gdl:tictactoe"])
def test_agents_act_at_once(name):
    env = ludens.gym.parallel_env(name)
    parallel_api_test(env, num_cycles=50)
    for seed in range(5):
        observations, _ = env.reset(seed=seed)
        while env.agents:
            masks = {agent: observations[agent]["action_mask"] for agent in env.agents}
            actions = {agent: env.action_space(agent).sample(mask) for agent, mask in masks.items()}
            observations, rewards, ended, cut, infos = env.step(actions)
            assert set(observations) == set(rewards) == set(ended) == set(cut) == set(infos) == set(actions)
        assert env.position.is_over and sum(rewards.values()) == 0


def test_the_same_seed_gives_the_same_games():
    seed_test(lambda: ludens.gym.env("gdl:tictactoe"), num_cycles=10)


def test_who_decides_at_once_does_not_see_what_others_chose():
    env = ludens.gym.env("gdl:goofspiel", render_mode="ansi")
    env.reset()
    before = env.observe("right")["observation"]
    env.step(env.position.legal_ids("left")[0])
    assert env.agent_selection == "right"
    assert (env.observe("right")["observation"] == before).all()
    env.step(env.position.legal_ids("right")[0])
    assert len(env.position.moves) == 1 and env.render()
    with pytest.raises(ludens.Error, match="move 77 is not legal for left"):
        env.step(77)
    with pytest.raises(ludens.Error, match="render modes: ansi, svg"):
        ludens.gym.env("go:3", render_mode="human")
