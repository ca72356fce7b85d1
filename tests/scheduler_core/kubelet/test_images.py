from scheduler_core.kubelet import images
from tests.scheduler_core.kubelet.cast import node, pod


def test_a_pull_adds_the_image_to_the_node() -> None:
    added = images.with_images(node(images=["big:1"]), ["shop:1", "shop:1"])
    assert {name for image in added for name in image["names"]} == {"big:1", "shop:1"}
    assert added[0]["sizeBytes"] == images.size_of("shop:1")


def test_an_image_is_reported_once() -> None:
    assert len(images.with_images(node(images=["shop:latest"]), ["shop"])) == 1


def test_a_node_reports_so_many_images_at_most() -> None:
    assert len(images.with_images(node(), [f"shop:{n}" for n in range(80)])) == images.MOST_REPORTED


def test_sizes_differ_by_image_and_not_by_run() -> None:
    assert images.size_of("shop") == images.size_of("shop:latest")
    sizes = {images.size_of(f"shop:{n}") for n in range(20)}
    assert len(sizes) == 20
    assert all(images.SMALLEST <= size <= images.LARGEST for size in sizes)


def test_each_missing_image_is_pulled_once() -> None:
    containers = [{"name": name, "image": "shop:2"} for name in "ab"]
    one = pod(containers=containers, initContainers=[{"name": "i", "image": "shop:1"}])
    assert images.missing(one, node(images=["shop:1"])) == ["shop:2"]
