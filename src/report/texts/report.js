// SPDX-License-Identifier: MIT
// The page works without this: it adds the search field, the viewer and the unfolding of what a link leads to.
(function () {
  "use strict";
  var viewer = document.getElementById("viewer");
  var search = document.getElementById("search");
  var opened = [];

  function isUtf8(bytes) {
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes) !== null;
    } catch (error) {
      return false;
    }
  }

  // Browsers refuse to open data: addresses as pages: they become blobs.
  function address(href, text) {
    if (href.slice(0, 5) !== "data:") return href;
    var comma = href.indexOf(",");
    var bytes = atob(href.slice(comma + 1));
    var array = new Uint8Array(bytes.length);
    for (var i = 0; i < bytes.length; i++) array[i] = bytes.charCodeAt(i);
    var type = (text ? "text/plain" : href.slice(5, href.indexOf(";"))) + (isUtf8(array) ? ";charset=utf-8" : "");
    var url = URL.createObjectURL(new Blob([array], { type: type }));
    opened.push(url);
    return url;
  }

  function show(row) {
    var image = row.querySelector("td.thumb img");
    var file = row.querySelector("a.file");
    var place = viewer.querySelector(".show");
    place.textContent = "";
    var element = document.createElement(image ? "img" : "iframe");
    element.src = image ? image.src : address(file.getAttribute("href"), row.dataset.view === "text");
    element[image ? "alt" : "title"] = row.dataset.name;
    place.appendChild(element);
    viewer.querySelector("b").textContent = row.dataset.name;
    viewer.row = row;
    if (!viewer.open) viewer.showModal();
  }

  function step(by) {
    var rows = Array.prototype.filter.call(document.querySelectorAll("tr.result"), function (row) {
      return !row.hidden && row.dataset.view !== "no";
    });
    var at = rows.indexOf(viewer.row);
    if (rows.length) show(rows[(at + by + rows.length) % rows.length]);
  }

  function unfold() {
    var target = document.getElementById(location.hash.slice(1)); // ids are encoded as addresses are
    if (target && target.tagName === "DETAILS") target.open = true;
  }

  document.querySelectorAll("tr.result").forEach(function (row) {
    if (row.dataset.view === "no") return;
    var image = row.querySelector("td.thumb img");
    var file = row.querySelector("a.file");
    if (image) {
      image.tabIndex = 0;
      image.setAttribute("role", "button");
      image.addEventListener("click", function () { show(row); });
      image.addEventListener("keydown", function (event) {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        show(row);
      });
    }
    if (!image && file)
      file.addEventListener("click", function (event) {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        show(row);
      });
  });
  viewer.querySelector(".previous").addEventListener("click", function () { step(-1); });
  viewer.querySelector(".next").addEventListener("click", function () { step(1); });
  viewer.querySelector(".close").addEventListener("click", function () { viewer.close(); });
  viewer.addEventListener("click", function (event) { if (event.target === viewer) viewer.close(); });
  viewer.addEventListener("keydown", function (event) {
    if (event.key === "ArrowLeft") step(-1);
    if (event.key === "ArrowRight") step(1);
  });
  viewer.addEventListener("close", function () {
    viewer.querySelector(".show").textContent = "";
    opened.splice(0).forEach(URL.revokeObjectURL);
  });
  if (search) {
    search.hidden = false;
    search.addEventListener("input", function () {
      var words = search.value.toLowerCase().split(/\s+/);
      document.querySelectorAll("tr.result").forEach(function (row) {
        var text = row.textContent.toLowerCase();
        row.hidden = !words.every(function (word) { return text.indexOf(word) >= 0; });
      });
      document.querySelectorAll(".group").forEach(function (group) {
        group.hidden = !group.querySelector("tr.result:not([hidden])");
      });
      document.getElementById("unmatched").hidden = document.querySelector("tr.result:not([hidden])") !== null;
    });
  }
  window.addEventListener("hashchange", unfold);
  var unfolded = [];
  window.addEventListener("beforeprint", function () {
    document.querySelectorAll("details:not([open])").forEach(function (fold) {
      fold.open = true;
      unfolded.push(fold);
    });
  });
  window.addEventListener("afterprint", function () {
    unfolded.splice(0).forEach(function (fold) { fold.open = false; });
  });
  unfold();
})();
