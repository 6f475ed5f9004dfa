"""Runs with the package `kubernetes` against a real child process."""

import pytest
from kubernetes import client
from pytest_portcullis import ApiServer, ServerFailed

WIDGETS = """
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {size: {type: integer, maximum: 10}}}
"""


def config_map(name):
    return client.V1ConfigMap(metadata=client.V1ObjectMeta(name=name), data={"a": "b"})


@pytest.mark.parametrize("attempt", [1, 2])
def test_each_test_starts_without_objects_of_others(kubernetes_client, attempt):
    core = client.CoreV1Api(kubernetes_client)
    assert [each.metadata.name for each in core.list_namespaced_config_map("default").items if each.metadata.name == "mine"] == []
    core.create_namespaced_config_map("default", config_map("mine"))


def test_the_server_refuses_as_a_cluster_does(kubernetes_client):
    core = client.CoreV1Api(kubernetes_client)
    with pytest.raises(client.ApiException) as refused:
        core.create_namespaced_config_map("default", config_map("Not_A_Name"))
    assert refused.value.status == 422
    assert "a lowercase RFC 1123 subdomain" in refused.value.body


def test_crds_can_be_loaded(tmp_path):
    (tmp_path / "crd.yaml").write_text(WIDGETS)
    with ApiServer(load=[tmp_path]) as server, server.api_client() as api:
        custom = client.CustomObjectsApi(api)
        widget = {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w"}, "spec": {"size": 11}}
        with pytest.raises(client.ApiException) as refused:
            custom.create_namespaced_custom_object("example.com", "v1", "default", "widgets", widget)
        assert "should be less than or equal to 10" in refused.value.body


def test_a_server_that_cannot_start_says_why():
    with pytest.raises(ServerFailed, match="unknown option"):
        ApiServer(args=["--no-such-flag"]).start()
